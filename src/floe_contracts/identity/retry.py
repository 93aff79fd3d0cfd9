"""How often and how long a catalog that does not answer is asked again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from ..frozen import dataclass
from .names import Levels
from .namespaces import Namespaces, Properties
from .protocol import CatalogUnreachable

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Waits double from the first to the longest, each varied by a share of itself."""

    max_attempts: int = 3
    initial_backoff_s: float = 1.0
    max_backoff_s: float = 10.0
    jitter: float = 0.2

    def wait_s(self, tries: int, chance: float) -> float:
        """The wait after so many tries; `chance` is between 0 and 1, and 0.5 varies nothing."""
        usual: float = min(self.max_backoff_s, self.initial_backoff_s * 2.0 ** min(tries - 1, 60))
        return usual * (1 + self.jitter * (2 * chance - 1))


ONCE = RetryPolicy(max_attempts=1)


def try_again(
    act: Callable[[], Value],
    policy: RetryPolicy,
    sleep: Callable[[float], None],
    chance: Callable[[], float],
) -> Value:
    """What the act returns in the end; only a catalog that does not answer is asked again."""
    for tries in range(1, policy.max_attempts):
        try:
            return act()
        except CatalogUnreachable as error:  # noqa: PERF203 - that is what trying again means
            if not error.may_pass:
                raise
            sleep(policy.wait_s(tries, chance()))
    return act()


@dataclass(frozen=True, slots=True)
class RetryingNamespaces:
    """Namespaces of a catalog that is asked again; creating twice is harmless, for the second time it is there."""

    inner: Namespaces
    policy: RetryPolicy
    sleep: Callable[[float], None]
    chance: Callable[[], float]

    def put_if_absent(self, name: Levels, properties: Properties) -> bool:
        return self._try(lambda: self.inner.put_if_absent(name, properties))

    def read(self, name: Levels) -> Properties | None:
        return self._try(lambda: self.inner.read(name))

    def update(self, name: Levels, properties: Properties, removed: Iterable[str] = ()) -> None:
        gone = tuple(removed)
        self._try(lambda: self.inner.update(name, properties, gone))

    def below(self, name: Levels) -> list[Levels]:
        return self._try(lambda: self.inner.below(name))

    def close(self) -> None:
        self.inner.close()

    def _try(self, act: Callable[[], Value]) -> Value:
        return try_again(act, self.policy, self.sleep, self.chance)
