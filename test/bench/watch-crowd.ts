import { type Asker, Connection, type Target } from './connection.js'
import { MarkerCounter } from './marker-counter.js'

/** Many watches of one collection that only count events. */
export class WatchCrowd {
  readonly #connections: readonly Asker[]
  #seen = 0
  #expected = 0
  #waiting: { readonly until: number; readonly resolve: () => void }[] = []

  private constructor(connections: readonly Asker[]) {
    this.#connections = connections
  }

  /** Each watch has its own connection unless `connect` is given. */
  static async open(
    target: Target,
    path: string,
    watchers: number,
    connect: (watcher: number) => Asker | Promise<Asker> = () => Connection.open(target),
  ): Promise<WatchCrowd> {
    const connections = await Promise.all(Array.from({ length: watchers }, (_, at) => connect(at)))
    const crowd = new WatchCrowd(connections)
    await Promise.all(connections.map(connection => crowd.#start(connection, path)))
    return crowd
  }

  /** To be called after a change is acknowledged: waits until every watch has received all changes. */
  delivered(): Promise<void> {
    this.#expected += this.#connections.length
    const until = this.#expected
    return new Promise(resolve => {
      this.#waiting.push({ until, resolve })
      this.#wake()
    })
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  #start(connection: Asker, path: string): Promise<void> {
    const counter = new MarkerCounter('{"type":"MODIFIED"')
    const onBody = (piece: Buffer) => {
      const before = counter.count
      counter.read(piece)
      this.#seen += counter.count - before
      this.#wake()
    }
    return new Promise((resolve, reject) => {
      const onHead = (status: number) => (status === 200 ? resolve() : reject(new Error(`watch ${path}: ${status}`)))
      connection.request('GET', path, { onBody, onHead }).catch(reject)
    })
  }

  #wake(): void {
    const isDone = ({ until }: { until: number }) => until <= this.#seen
    for (const { resolve } of this.#waiting.filter(isDone)) resolve()
    this.#waiting = this.#waiting.filter(each => !isDone(each))
  }
}
