# Two images. The service: docker build -t likewise .
# Run: docker run -p 8765:8765 -v "$PWD/data:/data" -e LIKEWISE_TOKEN=... likewise
# Workers, masters and drivers of Spark: docker build --target spark -t likewise-spark . (docs/guide/spark.md)
# Bookworm, because it has Java 17.
FROM python:3.12-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12-slim-bookworm AS spark
COPY --from=build /wheels /wheels
# Java, and ps, by which Spark looks after its processes.
RUN apt-get update && apt-get install -y --no-install-recommends openjdk-17-jre-headless procps \
    && rm -rf /var/lib/apt/lists/* \
    && pip install --no-cache-dir "$(ls /wheels/*.whl)[spark,web,sheets,pdf,zstd]" && rm -rf /wheels \
    && useradd --create-home --uid 1000 likewise && mkdir /work && chown likewise /work
ENV PYSPARK_PYTHON=python3 SPARK_NO_DAEMONIZE=1
USER likewise
WORKDIR /home/likewise
# What all machines must see under the same path: the work folder, and the input where it is files.
VOLUME /work
CMD ["python3"]

FROM python:3.12-slim-bookworm
COPY --from=build /wheels /wheels
# Of pyarrow the parts that Likewise never loads are left out: Flight, S3, tests and headers take 60 MB.
RUN pip install --no-cache-dir --no-compile "$(ls /wheels/*.whl)[serve,mine,web,sheets,pdf,zstd]" && rm -rf /wheels \
    && cd "$(python -c 'import pyarrow; print(*pyarrow.__path__)')" && rm -rf tests include *flight* *_s3* \
    && useradd --create-home --uid 1000 likewise && mkdir /data && chown likewise /data
USER likewise
VOLUME /data
EXPOSE 8765
# Reached from outside the container, so it refuses to start without LIKEWISE_TOKEN, which every request must bring.
CMD ["likewise", "serve", "/data", "--host", "0.0.0.0", "--port", "8765"]
