import { connect, createServer, type Socket } from 'node:net'

/** Stands between clients and a server, and fails as networks do. */
export interface CuttingProxy {
  readonly port: number
  /** Where connections go from now on; undefined while there is no server. */
  aimAt(port: number | undefined): void
  /** Resets every connection. */
  cut(): void
  /** While on, every connection is reset after so many bytes of answers: often in the middle of one. */
  cutAfter(bytes: (() => number) | undefined): void
  /** While on, requests arrive and answers do not. */
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
      // What was lost is missing in the middle of what follows: those connections are of no use any more.
      if (isLosing && !isOn) cut()
      isLosing = isOn
    },
    async close() {
      cut()
      await new Promise(resolve => listener.close(resolve))
    },
  }
}
