import cluster from 'node:cluster'
import type { Socket } from 'node:net'
import type { Channel, Message } from './link.js'

/** The topic of messages that carry connections. */
export const connectionTopic = 'connection'

/** A forked process, as the pool sees it. */
export interface WorkerProcess {
  readonly pid: number
  readonly channel: Channel
  /** Sends a connection, which also stays open here. The worker confirms it by this number. */
  give(number: number, socket: Socket): void
  /** Called once when it has exited, with its exit code or signal. */
  onExit(listener: (ending: number | string) => void): void
  kill(signal: NodeJS.Signals): void
}

/** Starts this program again with the same arguments. It ends when this process does. */
export function forkWorker(): WorkerProcess {
  const worker = cluster.fork()
  // Without a listener, a message to a process that has just exited would end this one.
  worker.on('error', () => {})
  const { process: child } = worker
  return {
    pid: child.pid ?? 0,
    channel: {
      send: message => void (worker.isConnected() && worker.send(message as object)),
      onMessage: receive => void worker.on('message', receive),
    },
    give(number, socket) {
      const message: Message = { topic: connectionTopic, content: number }
      // The exit of a worker is handled separately; its unconfirmed connections then go to another one.
      if (worker.isConnected()) child.send(message, socket, { keepOpen: true }, () => {})
    },
    onExit: listener => void worker.once('exit', (code, signal) => listener(signal ?? code)),
    kill: signal => void child.kill(signal),
  }
}

/** Whether this process was started by `forkWorker`. */
export const isWorker = (): boolean => cluster.isWorker

/** The link to the primary, in a worker. */
export function primaryChannel(): Channel & { letProcessEnd(): void } {
  // Without its primary a worker ends at once. A normal exit waits for the thread of lmdb, which may be inside a transaction and wait
  // for this one; the store would stay locked forever. So the worker kills itself.
  let mayEnd = false
  process.prependListener('exit', () => {
    if (!mayEnd) process.kill(process.pid, 'SIGKILL')
  })
  return {
    send: message => void (process.connected && process.send?.(message)),
    onMessage: receive => void process.on('message', receive),
    // An open channel keeps a process alive.
    letProcessEnd() {
      mayEnd = true
      process.channel?.unref()
    },
  }
}

/** The number of the worker in log messages. */
export const workerNumber = (): number => cluster.worker?.id ?? 0
