#!/usr/bin/env bash
# The steps of the Spark image (Dockerfile, target spark) without a container: wheel, empty environment, master, worker,
# spark-submit. For machines that have no container runtime; needs Java 17. PIP names another installer ("uv pip").
# Usage: scripts/spark_image.sh [WHEEL]
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
running=()
trap 'kill "${running[@]}" 2>/dev/null || true; wait; rm -rf "$place"' EXIT
wheel=${1:-}
if [ -z "$wheel" ]; then
  python3 -m pip wheel --quiet --no-deps --wheel-dir "$place/wheels" .
  wheel=$(ls "$place"/wheels/*.whl)
fi
python3 -m venv "$place/env"
export VIRTUAL_ENV=$place/env PATH=$place/env/bin:$PATH
${PIP:-pip} install --quiet "$wheel[spark,web,sheets,pdf,zstd]"
export PYSPARK_PYTHON=python3 SPARK_NO_DAEMONIZE=1 SPARK_LOCAL_IP=127.0.0.1
unset PYTHONPATH
cp examples/spark_names.py "$place/"
cd "$place"

until_said() { # FILE WORDS PID: until a process that is at work has said so
  until grep -q "$2" "$1"; do kill -0 "$3" || { cat "$1"; exit 1; }; sleep 0.2; done
}

spark-class org.apache.spark.deploy.master.Master --host 127.0.0.1 --port 0 --webui-port 0 >master.log 2>&1 &
running+=($!)
until_said master.log "Starting Spark master at" ${running[0]}
master=$(grep -o "spark://[^ ]*" master.log | head -1)
spark-class org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --port 0 --webui-port 0 --cores 2 --memory 1g \
  --work-dir "$place/worker" "$master" >worker.log 2>&1 &
running+=($!)
until_said worker.log "Successfully registered" ${running[1]}
spark-submit --master "$master" --conf spark.ui.enabled=false --conf spark.executor.memory=512m spark_names.py "$place/work"
[ -e work/match/run.report.json ] && [ -e work/dedupe/run.report.html ]
likewise --version
echo "the steps of the image work with $master"
