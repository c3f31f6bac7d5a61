# The service in a container. Build: docker build -t likewise .
# Run: docker run -p 8765:8765 -v "$PWD/data:/data" -e LIKEWISE_TOKEN=... likewise
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(ls /wheels/*.whl)[serve,mine,web,sheets,pdf,zstd]" && rm -rf /wheels \
    && useradd --create-home --uid 1000 likewise && mkdir /data && chown likewise /data
USER likewise
VOLUME /data
EXPOSE 8765
# Reached from outside the container, so it refuses to start without LIKEWISE_TOKEN, which every request must bring.
CMD ["likewise", "serve", "/data", "--host", "0.0.0.0", "--port", "8765"]
