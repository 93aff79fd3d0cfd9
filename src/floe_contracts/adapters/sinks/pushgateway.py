"""Shows a Prometheus Pushgateway where the metrics of a group stand, by one PUT that replaces all of them.

A group is a job, a namespace and a check, and `instance` where FLOE_PUSHGATEWAY_INSTANCE gives one: deployments with
stores of their own must not overwrite each other.
"""

from __future__ import annotations

import base64
import re
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.util import find_spec

from ...emit.metric_points import points_of
from ...errors import MissingExtra, SettingsError
from ...monitor.run.delivery import Delivery, MessageRefused, Retry
from ...monitor.settings.model import MonitoringConfig
from ...monitor.store.outbox import Backlog, MetricsGroup
from ...monitor.store.protocol import SeriesTotals
from ...monitor.store.slots import Series
from ...render.safe import log_safe
from ..files.secrets import read_setting
from ..http.client import Address, Call, HttpAnswer, NoAnswer, address_of, basic_auth, send, tls_context
from .http_delivery import judge_answer

URL = "FLOE_PUSHGATEWAY_URL"
USER, PASSWORD, TOKEN = f"{URL[:-4]}_USER", f"{URL[:-4]}_PASSWORD", f"{URL[:-4]}_TOKEN"
CA_FILE, INSTANCE = f"{URL[:-4]}_CA_FILE", f"{URL[:-4]}_INSTANCE"
JOB = "floe_contracts"
_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*")
_HINTS = {
    401: f"look at {USER} and {PASSWORD}, or {TOKEN}",
    403: f"look at {USER} and {PASSWORD}, or {TOKEN}",
    404: f"look at {URL}, which needs no path unless the gateway has one",
}


@dataclass(frozen=True, slots=True)
class Pushgateway:
    """A Mirror; `password` and `token` may be `file:PATH`, which is read at each push, as secrets are renewed."""

    address: Address
    user: str = ""
    password: str = field(repr=False, default="")
    token: str = field(repr=False, default="")
    instance: str = ""
    tls: ssl.SSLContext | None = field(repr=False, default=None)

    @property
    def name(self) -> str:
        """Another gateway has seen nothing yet, so it has another name."""
        more = f"{self.address.path} {self.instance}".strip()
        return f"pushgateway {self.address.origin}{f' {sha256(more.encode()).hexdigest()[:8]}' if more else ''}"

    def push(
        self, group: MetricsGroup, totals: Mapping[Series, SeriesTotals], backlog: Sequence[Backlog], limit_s: float
    ) -> Delivery:
        from prometheus_client.exposition import delete_from_gateway, push_to_gateway

        from .prometheus import PointsCollector

        points = points_of(group.check_type, totals, backlog)
        answers: list[HttpAnswer] = []
        gateway, key = self.address.url, self._grouping_key(group)
        try:
            handler = self._handler(answers)
            if points:
                push_to_gateway(gateway, JOB, PointsCollector(lambda: points), key, limit_s, handler)
            else:
                delete_from_gateway(gateway, JOB, key, limit_s, handler)
        except SettingsError as error:
            return Retry(error.message)
        except NoAnswer as why:
            return Retry(str(why))
        return _judge(answers[0])

    def _grouping_key(self, group: MetricsGroup) -> dict[str, str]:
        labels = (("instance", self.instance), ("floe_namespace", group.namespace), ("check_type", group.check_type))
        return dict(_path_safe(name, text) for name, text in labels if text)

    def _handler(self, answers: list[HttpAnswer]) -> Callable[..., Callable[[], None]]:
        """What prometheus_client sends by: its own handlers take an authority or a password, and never cut a drip."""
        credentials = self._credentials()

        def handler(
            url: str, method: str, timeout: float, headers: list[tuple[str, str]], data: bytes
        ) -> Callable[[], None]:
            call = Call(method, url.removeprefix(self.address.url), data, {**dict(headers), **credentials})
            return lambda: answers.append(send(self.address, call, timeout, self.tls))

        return handler

    def _credentials(self) -> dict[str, str]:
        if self.token:
            return {"Authorization": f"Bearer {read_setting(self.token)}"}
        password = read_setting(self.password) if self.password else ""
        return basic_auth(f"{self.user}:{password}" if self.user else self.address.userinfo)


def from_environment(config: MonitoringConfig, environ: Mapping[str, str]) -> Pushgateway | None:
    """The gateway that the environment names; None where it names none, or metrics are switched off."""
    settings = {name: environ.get(name, "").strip() for name in (URL, USER, PASSWORD, TOKEN, CA_FILE, INSTANCE)}
    wanted = config.data_contracts.alerting.prometheus_metrics and config.observability.metrics
    if not settings[URL] or not wanted:
        return None
    if find_spec("prometheus_client") is None:  # asked for before anything is measured; heavy, so imported later
        raise MissingExtra("pushing metrics", "store")
    if settings[TOKEN] and settings[USER]:
        raise SettingsError(f"{TOKEN} and {USER} are both set", fix="Keep the one that the gateway asks for.")
    address = address_of(read_setting(settings[URL]), URL)
    tls = tls_context(settings[CA_FILE], CA_FILE) if address.tls else None
    return Pushgateway(address, settings[USER], settings[PASSWORD], settings[TOKEN], settings[INSTANCE], tls)


def _path_safe(name: str, text: str) -> tuple[str, str]:
    """A label as a path may hold it; two dots, which prometheus_client leaves as they are, would be swallowed."""
    if _PLAIN.fullmatch(text):
        return name, text
    return f"{name}@base64", base64.urlsafe_b64encode(text.encode()).decode("ascii").rstrip("=")


def _judge(answer: HttpAnswer) -> Delivery:
    delivery = judge_answer(answer, _HINTS)
    if not isinstance(delivery, MessageRefused):
        return delivery
    return MessageRefused(f"{delivery.reason}: {log_safe(' '.join(answer.text.split()), 200)}".rstrip(": "))
