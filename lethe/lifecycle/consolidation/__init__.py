"""Consolidation: memories that say one thing become one, checked, in one transaction a group, and with a way back.

finding      which memories changed, and what lies near them       unmaking     an output goes, its inputs stand again
supporting   would each input's claim still find the output?       reverting    a whole run back, on request
writing      a group as rows, if nothing changed meanwhile         listing      what the runs did
running      all of it, page by page; what the job and the command call
"""
