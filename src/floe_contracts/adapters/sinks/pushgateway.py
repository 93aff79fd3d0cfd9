"""Shows a Prometheus Pushgateway where the metrics of a group stand, by one PUT that replaces all of them.

A group is a job, a namespace and a check, and `instance` where FLOE_PUSHGATEWAY_INSTANCE gives one: deployments with
stores of their own must not overwrite each other.
"""

from __future__ import annotations

import base64
import re
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import quote

from ...emit.exposition import CONTENT_TYPE, exposition
from ...emit.metric_points import points_of
from ...errors import SettingsError
from ...monitor.run.delivery import Delivered, Delivery, MessageRefused, Retry
from ...monitor.settings.model import MonitoringConfig
from ...monitor.store.outbox import Backlog, MetricsGroup
from ...monitor.store.protocol import SeriesTotals
from ...monitor.store.slots import Series
from ...render.safe import log_safe
from ..files.secrets import read_setting
from ..http.client import Address, Call, HttpAnswer, NoAnswer, address_of, basic, delivery_of, send, trusting

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
        body = exposition(points_of(group.check_type, totals, backlog))
        try:
            headers = {**self._credentials(), **({"Content-Type": CONTENT_TYPE} if body else {})}
            call = Call("PUT" if body else "DELETE", self._path(group), body, headers)
            answer = send(self.address, call, limit_s, self.tls)
        except SettingsError as error:
            return Retry(error.message)
        except NoAnswer as why:
            return Retry(str(why))
        return self._judged(answer)

    def _path(self, group: MetricsGroup) -> str:
        labels = (("instance", self.instance), ("floe_namespace", group.namespace), ("check_type", group.check_type))
        return "/metrics" + "".join(_segment(name, text) for name, text in (("job", JOB), *labels) if text)

    def _credentials(self) -> dict[str, str]:
        if self.token:
            return {"Authorization": f"Bearer {read_setting(self.token)}"}
        password = read_setting(self.password) if self.password else ""
        return basic(f"{self.user}:{password}" if self.user else self.address.userinfo)

    def _judged(self, answer: HttpAnswer) -> Delivery:
        found = delivery_of(answer, _HINTS)
        if isinstance(found, Delivered) or not isinstance(found, MessageRefused):
            return found
        return MessageRefused(f"{found.reason}: {log_safe(' '.join(answer.body.split()), 200)}".rstrip(": "))


def from_environment(config: MonitoringConfig, environ: Mapping[str, str]) -> Pushgateway | None:
    """None where nothing is configured, or metrics are switched off."""
    said = {name: environ.get(name, "").strip() for name in (URL, USER, PASSWORD, TOKEN, CA_FILE, INSTANCE)}
    wanted = config.data_contracts.alerting.prometheus_metrics and config.observability.metrics
    if not said[URL] or not wanted:
        return None
    if said[TOKEN] and said[USER]:
        raise SettingsError(f"{TOKEN} and {USER} are both set", fix="Keep the one that the gateway asks for.")
    address = address_of(read_setting(said[URL]), URL)
    tls = trusting(said[CA_FILE], CA_FILE) if address.tls else None
    return Pushgateway(address, said[USER], said[PASSWORD], said[TOKEN], said[INSTANCE], tls)


def _segment(name: str, text: str) -> str:
    """A label in the path; what a path could swallow, such as a slash or two dots, goes as base64."""
    if _PLAIN.fullmatch(text):
        return f"/{name}/{quote(text)}"
    return f"/{name}@base64/{base64.urlsafe_b64encode(text.encode()).decode('ascii')}"
