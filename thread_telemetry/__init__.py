"""How walks go, as metrics of OpenTelemetry; nothing is counted or sent before `instrument` is called."""

from thread_core.errors import missing

try:
    from thread_telemetry.metrics import instrument
except ModuleNotFoundError as error:
    raise missing(error, "telemetry") from error

__all__ = ["instrument"]
