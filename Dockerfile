FROM python:3.11-slim
RUN useradd --system --create-home --home-dir /var/lib/lethe lethe
WORKDIR /srv/lethe
COPY constraints.txt pyproject.toml README.md LICENSE ./
COPY lethe lethe
COPY policies policies
COPY workers workers
COPY schedules schedules
RUN pip install --no-cache-dir -c constraints.txt .
USER lethe
ENV LETHE_HOME=/var/lib/lethe
CMD ["python", "-m", "workers.api"]
