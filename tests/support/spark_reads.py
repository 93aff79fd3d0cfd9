"""How much Spark read, by its own bookkeeping."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass
class Reads:
    """What Spark's own bookkeeping says was done since it was last asked."""

    session: SparkSession
    _seen: int = -1

    def rows(self) -> int:
        """Rows read from files."""
        return sum(int(stage.inputRecords()) for stage in self._stages())

    def bytes(self) -> int:
        """Bytes read from files."""
        return sum(int(stage.inputBytes()) for stage in self._stages())

    def start(self) -> Reads:
        """Begin to count."""
        self._seen = max((int(stage.stageId()) for stage in self._all()), default=-1)
        return self

    def _stages(self) -> list[Any]:
        return [stage for stage in self._all() if int(stage.stageId()) > self._seen]

    def _all(self) -> list[Any]:
        spark: Any = self.session.sparkContext
        context = spark._jsc.sc()
        context.listenerBus().waitUntilEmpty()
        no_quantiles = spark._gateway.new_array(spark._jvm.double, 0)
        stages = context.statusStore().stageList(None, False, False, no_quantiles, spark._jvm.java.util.ArrayList())
        return [stages.apply(number) for number in range(stages.size())]
