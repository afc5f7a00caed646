from tests.thread_core.executors.programs import programs

__all__ = ["programs"]
