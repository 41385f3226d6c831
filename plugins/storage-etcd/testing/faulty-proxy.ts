import { connect, createServer, type Socket } from 'node:net'

/** A proxy between a store and a member that can inject faults. */
export interface FaultyProxy {
  readonly server: string
  /** Drops responses, but not requests, for this time; then breaks all connections and works normally again. */
  loseAnswers(forMs: number): void
  /** Breaks every connection. */
  cut(): void
  close(): Promise<void>
}

export async function startProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isLosing = false
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const listener = createServer(near => {
    const far = connect(Number(port), hostname)
    for (const [socket, peer] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        peer.destroy()
      })
    }
    near.on('data', bytes => far.write(bytes))
    far.on('data', bytes => {
      if (!isLosing) near.write(bytes)
    })
  })
  const ownPort = await new Promise<number>(resolve =>
    listener.listen(0, '127.0.0.1', () => resolve((listener.address() as { port: number }).port)),
  )
  return {
    server: `http://127.0.0.1:${ownPort}`,
    cut,
    loseAnswers(forMs) {
      isLosing = true
      setTimeout(() => {
        cut()
        isLosing = false
      }, forMs).unref()
    },
    async close() {
      cut()
      await new Promise(resolve => listener.close(resolve))
    },
  }
}
