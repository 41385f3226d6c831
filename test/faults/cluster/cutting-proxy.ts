import { connect, createServer, type Socket } from 'node:net'

/** A proxy between clients and a server that fails like a network. */
export interface CuttingProxy {
  readonly port: number
  /** Sets the target of connections; undefined while there is no server. */
  aimAt(port: number | undefined): void
  /** Resets every connection. */
  cut(): void
  /** Resets every connection after this many bytes of responses, often in the middle of one. */
  cutAfter(bytes: (() => number) | undefined): void
  /** While on, requests arrive but responses are dropped. */
  loseAnswers(isOn: boolean): void
  close(): Promise<void>
}

interface Connection {
  readonly near: Socket
  readonly far: Socket
  remaining: number
}

export async function startCuttingProxy(): Promise<CuttingProxy> {
  const connections = new Set<Connection>()
  let target: number | undefined
  let isLosing = false
  let budget: (() => number) | undefined

  const reset = ({ near, far }: Connection) => {
    // A socket that is being shut down cannot be reset (EINVAL), and Node 20 then never closes it: the process would not end.
    if (near.writableEnded) near.destroy()
    else if (!near.destroyed) near.resetAndDestroy()
    far.destroy()
  }
  const listener = createServer(near => {
    near.on('error', () => {})
    if (target === undefined) return void near.destroy()
    const connection: Connection = { near, far: connect(target, '127.0.0.1'), remaining: budget?.() ?? Infinity }
    const { far } = connection
    connections.add(connection)
    far.on('error', () => {})
    near.on('data', bytes => far.write(bytes))
    far.on('data', bytes => {
      if (isLosing || connection.remaining < 0) return
      connection.remaining -= bytes.length
      if (connection.remaining >= 0) return void near.write(bytes)
      near.write(bytes.subarray(0, bytes.length + connection.remaining), () => reset(connection))
    })
    const end = () => {
      connections.delete(connection)
      near.destroy()
      far.destroy()
    }
    near.on('close', end)
    far.on('close', end)
  })
  const port = await new Promise<number>(resolve =>
    listener.listen(0, '127.0.0.1', () => resolve((listener.address() as { port: number }).port)),
  )
  const cut = () => {
    for (const connection of connections) reset(connection)
  }
  return {
    port,
    cut,
    aimAt(next) {
      target = next
      cut()
    },
    cutAfter(bytes) {
      budget = bytes
      for (const connection of connections) connection.remaining = bytes?.() ?? Infinity
    },
    loseAnswers(isOn) {
      // These connections have lost data in the middle, so they are closed.
      if (isLosing && !isOn) cut()
      isLosing = isOn
    },
    async close() {
      cut()
      await new Promise(resolve => listener.close(resolve))
    },
  }
}
