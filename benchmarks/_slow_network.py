"""A server as one reaches it over a slower network: a relay that hands on each byte so much later, either way.

python benchmarks/_slow_network.py ADDRESS PORT TO_PORT SECONDS

It relays until its input ends, then prints how many round trips there were: how often a client spoke after the server.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio import StreamReader, StreamWriter


class Relay:
    """What goes to and fro between clients and a server."""

    def __init__(self, host: str, port: int, delay: float) -> None:
        self._server = host, port
        self._delay = delay
        self.round_trips = 0

    async def accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Serve a client."""
        other_reader, other_writer = await asyncio.open_connection(*self._server)
        is_waited_for = [False]
        await asyncio.gather(
            self._hand_on(reader, other_writer, is_waited_for, by_client=True),
            self._hand_on(other_reader, writer, is_waited_for, by_client=False),
            return_exceptions=True,
        )

    async def _hand_on(self, reader: StreamReader, writer: StreamWriter, waits: list[bool], *, by_client: bool) -> None:
        loop, late = asyncio.get_running_loop(), asyncio.Queue[tuple[float, bytes]]()

        async def deliver() -> None:
            while (due := await late.get())[1]:
                await asyncio.sleep(due[0] - loop.time())
                writer.write(due[1])
            writer.close()

        delivery = asyncio.create_task(deliver())
        while True:
            data = await reader.read(1 << 16)
            self.round_trips += by_client and bool(data) and not waits[0]
            waits[0] = by_client
            late.put_nowait((loop.time() + self._delay, data))
            if not data:
                break
        await delivery


async def main(address: str, port: str, to_port: str, delay: str) -> None:
    """Relay until the input ends."""
    relay = Relay(address, int(to_port), float(delay))
    async with await asyncio.start_server(relay.accept, address, int(port)):
        await asyncio.to_thread(sys.stdin.read)
        print(relay.round_trips, flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
