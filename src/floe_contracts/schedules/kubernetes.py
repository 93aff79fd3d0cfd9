"""CronJobs of Kubernetes for the checks.

The controller ends the name of every Job with the minute for which it was scheduled, counted from 1970; that is the
slot, however late the pod starts (https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/). These minutes
have eight digits until the year 2160; any other end is the name that somebody gave a Job.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence

from .cadence import Job

_MANIFEST = """\
apiVersion: batch/v1
kind: CronJob
metadata:
  name: {name}
  labels:
    app.kubernetes.io/name: floe-contracts
    app.kubernetes.io/component: {check}
spec:
  schedule: "{cron}"
  timeZone: Etc/UTC
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 300
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 3
  jobTemplate:
    spec:
      backoffLimit: 1
      activeDeadlineSeconds: 3600
      template:
        metadata:
          labels:
            app.kubernetes.io/name: floe-contracts
            app.kubernetes.io/component: {check}
        spec:
          restartPolicy: Never
          automountServiceAccountToken: false
          securityContext:
            runAsNonRoot: true
            runAsUser: 10001
            seccompProfile:
              type: RuntimeDefault
          containers:
            - name: floe
              image: {image}
              workingDir: {folder}
              command: ["/bin/sh", "-c"]
              args:
                - |
                  # The minute of the schedule; a Job made by hand has none (20… is a date) and checks for now.
                  case "${{JOB_NAME##*-}}" in
                    20* | *[!0-9]*) ;;
                    [1-9]???????) set -- --slot "$(( ${{JOB_NAME##*-}} * 60 ))" ;;
                  esac
                  sleep {delay}  # not all checks at second 0
                  exec {run} "$@"
              env:
                - name: JOB_NAME
                  valueFrom:
                    fieldRef:
                      fieldPath: metadata.labels['batch.kubernetes.io/job-name']
              envFrom:
                - secretRef:
                    name: floe-monitoring
              resources:
                requests:
                  cpu: "1"
                  memory: 2Gi
                limits:
                  memory: 4Gi
              securityContext:
                allowPrivilegeEscalation: false
                capabilities:
                  drop: ["ALL"]
"""
_HEAD = """\
# Checks of data contracts, written by `floe schedule kubernetes`.
# The image is that of examples/docker/Dockerfile in floe's repository, with the contracts in {folder}.
# The secret floe-monitoring holds the environment: FLOE_STORE for `store: env:FLOE_STORE` (PostgreSQL: a pod's own disk
# is lost with the pod), FLOE_PUSHGATEWAY_URL, OPENLINEAGE_URL and the like.
"""


_SERVE = """\
# `floe monitor serve`, written by `floe schedule kubernetes --serve`.
# The image is that of examples/docker/Dockerfile in floe's repository, with the contracts in {folder}.
# The secret floe-monitoring holds the environment: FLOE_STORE for `store: env:FLOE_STORE` (PostgreSQL: a pod's own disk
# is lost with the pod), OPENLINEAGE_URL and the like.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: floe-serve
  labels:
    app.kubernetes.io/name: floe-contracts
    app.kubernetes.io/component: serve
spec:
  # A second one would find every slot taken: it costs and gives nothing.
  replicas: 1
  strategy:
    type: Recreate
  selector:
    matchLabels:
      app.kubernetes.io/name: floe-contracts
      app.kubernetes.io/component: serve
  template:
    metadata:
      labels:
        app.kubernetes.io/name: floe-contracts
        app.kubernetes.io/component: serve
      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: "9464"
        prometheus.io/path: /metrics
    spec:
      automountServiceAccountToken: false
      # SIGTERM ends it within 30 seconds.
      terminationGracePeriodSeconds: 35
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: floe
          image: {image}
          workingDir: {folder_text}
          command: {command}
          ports:
            - name: metrics
              containerPort: 9464
          startupProbe:
            httpGet: {{path: /healthz, port: metrics}}
            periodSeconds: 5
            failureThreshold: 60
          livenessProbe:
            httpGet: {{path: /healthz, port: metrics}}
            periodSeconds: 30
            timeoutSeconds: 5
            failureThreshold: 3
          envFrom:
            - secretRef:
                name: floe-monitoring
          resources:
            requests:
              cpu: "1"
              memory: 2Gi
            limits:
              memory: 4Gi
          securityContext:
            allowPrivilegeEscalation: false
            capabilities:
              drop: ["ALL"]
"""


def serve_manifest(command: Sequence[str], folder: str, image: str) -> str:
    """The Deployment of the service."""
    words = [word.replace("$(", "$$(") for word in command]  # Kubernetes would fill in variables
    texts = {"image": json.dumps(image), "folder_text": json.dumps(folder), "command": json.dumps(words)}
    return _SERVE.format(folder=folder, **texts)


def manifests(jobs: Sequence[Job], folder: str, image: str, floe: str = "floe") -> str:
    """The manifests of the CronJobs, one document per check."""
    documents = [_manifest(job, folder, image, floe) for job in jobs]
    return _HEAD.format(folder=folder) + "---\n".join(documents)


def _manifest(job: Job, folder: str, image: str, floe: str) -> str:
    run = shlex.join([floe, "monitor", "run", job.check, *job.options])
    check = job.check.replace("_", "-")
    quoted = {"image": json.dumps(image), "folder": json.dumps(folder)}  # any text of JSON is one of YAML
    return _MANIFEST.format(
        name=job.name, check=check, cron=job.cadence.cron, run=run, delay=job.delay_s(image), **quoted
    )
