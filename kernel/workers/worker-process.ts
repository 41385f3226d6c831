import cluster from 'node:cluster'
import type { Socket } from 'node:net'
import type { Channel, Message } from './link.js'

/** The topic under which connections come to a worker. */
export const connectionTopic = 'connection'

/** A forked process, as the pool sees it. */
export interface WorkerProcess {
  readonly pid: number
  readonly channel: Channel
  /** Hands over a connection; it stays open here too. The worker says when it has the one of this number. */
  give(number: number, socket: Socket): void
  /** Called once, when it has ended: with its exit code, or the signal that ended it. */
  onExit(listener: (ending: number | string) => void): void
  kill(signal: NodeJS.Signals): void
}

/** Starts this program once more, with the same words. It ends when this process does. */
export function forkWorker(): WorkerProcess {
  const worker = cluster.fork()
  // Without a listener, a message to a process that has just died would end this one.
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
      // A worker that is gone will be heard to end; what it did not confirm then goes to another one.
      if (worker.isConnected()) child.send(message, socket, { keepOpen: true }, () => {})
    },
    onExit: listener => void worker.once('exit', (code, signal) => listener(signal ?? code)),
    kill: signal => void child.kill(signal),
  }
}

/** Was this process started by `forkWorker`? */
export const isWorker = (): boolean => cluster.isWorker

/** In a worker: the way to the primary. */
export function primaryChannel(): Channel & { letProcessEnd(): void } {
  // Without its primary a worker ends at once, wherever it is. An exit waits for lmdb's thread, which may be inside a
  // transaction and wait for this one; that would keep the store locked for everybody, for ever. So it is killed instead.
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

/** The number by which log lines tell workers apart. */
export const workerNumber = (): number => cluster.worker?.id ?? 0
