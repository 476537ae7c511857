"""A proxy that discards the data of open application connections after SIGUSR1, but not of later ones: PORT TARGET."""
import asyncio, signal, sys

# The client name of an application's connection.
APPLICATION = b"lib-name"


class Relay(asyncio.Protocol):
    """One half of a connection through the proxy."""

    def __init__(self, proxy, peer=None):
        self.proxy, self.peer, self.transport, self.waiting = proxy, peer, None, []
        self.application = self.swallows = False

    def connection_made(self, transport):
        self.transport = transport
        if self.peer is None:
            self.proxy.relays.add(self)
            asyncio.ensure_future(self.connect())
        else:
            for data in self.peer.waiting:
                transport.write(data)

    async def connect(self):
        try:
            _, self.peer = await asyncio.get_running_loop().create_connection(lambda: Relay(self.proxy, self), "127.0.0.1", self.proxy.target)
        except OSError:
            self.transport.abort()

    def data_received(self, data):
        self.application |= APPLICATION in data
        if self.swallows:
            return
        if self.peer is None or self.peer.transport is None:
            self.waiting.append(data)
        else:
            self.peer.transport.write(data)

    def connection_lost(self, error):
        self.proxy.relays.discard(self)
        if self.peer and self.peer.transport and not self.swallows:
            self.peer.transport.abort() if error else self.peer.transport.close()


class Proxy:
    def __init__(self, target):
        self.target, self.relays = target, set()

    def swallow(self):
        for one in list(self.relays):
            if one.application and one.peer:
                one.swallows = one.peer.swallows = True

    async def run(self, port):
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, self.swallow)
        server = await loop.create_server(lambda: Relay(self), "127.0.0.1", port)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(Proxy(int(sys.argv[2])).run(int(sys.argv[1])))
