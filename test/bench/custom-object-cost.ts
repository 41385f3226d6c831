import { payload } from './config-map-load.js'
import type { Target } from './connection.js'
import { ConnectionPool } from './connection-pool.js'
import type { Shape } from './custom-type-load.js'
import { type Cost, compare, type Variant } from './paired.js'
import { WatchCrowd } from './watch-crowd.js'

const objects = 1024
const listed = 100
const watchers = 50
const size = 1000

/** The objects of one type in one namespace. */
export interface Collection {
  readonly name: string
  readonly path: string
  readonly shape: Shape
}

/** The cost of each operation on two collections, which alternate; yielded as they are measured. */
export async function* compareCollections(
  target: Target,
  collections: readonly Collection[],
  rounds: number,
): AsyncGenerator<{ readonly operation: string; readonly costs: readonly Cost[] }> {
  const load = collections.map(collection => new CollectionLoad(target, collection))
  try {
    for (const each of load) await each.prepare()
    for (const operation of ['create', 'get', 'update', 'list', 'watch'] as const) {
      const variants = load.map(each => each.variant(operation))
      if (operation === 'watch') for (const each of load) await each.openWatches()
      yield { operation: described[operation] ?? operation, costs: await compare(variants, rounds) }
    }
  } finally {
    for (const each of load) each.close()
  }
}

const described: Readonly<Record<string, string>> = {
  list: `list of ${listed}`,
  watch: `update with ${watchers} watches`,
}
type Operation = 'create' | 'get' | 'update' | 'list' | 'watch'

class CollectionLoad {
  readonly #target: Target
  readonly #pool: ConnectionPool
  readonly #collection: Collection
  readonly #versions: string[] = []
  #crowd: WatchCrowd | undefined

  constructor(target: Target, collection: Collection) {
    this.#target = target
    this.#collection = collection
    this.#pool = new ConnectionPool(target)
  }

  /** Objects to be read and changed. */
  async prepare(): Promise<void> {
    for (let n = 0; n < objects; n++)
      this.#versions.push(versionIn(await this.#send('POST', this.#collection.path, this.#body(n, 0))))
  }
  async openWatches(): Promise<void> {
    const answer = await this.#send('GET', `${this.#collection.path}?limit=1`)
    const path = `${this.#collection.path}?watch=1&resourceVersion=${versionIn(answer)}`
    this.#crowd = await WatchCrowd.open(this.#target, path, watchers)
  }
  variant(operation: Operation): Variant {
    return { name: this.#collection.name, pids: this.#target.pids, run: n => this.#run[operation](n) }
  }
  close(): void {
    this.#crowd?.close()
    this.#pool.close()
  }

  readonly #run: Readonly<Record<Operation, (n: number) => Promise<void>>> = {
    create: async n => void (await this.#send('POST', this.#collection.path, this.#body(objects + n, 0))),
    get: async n => void (await this.#send('GET', `${this.#collection.path}/o-${(n * 7919) % objects}`)),
    list: async () => void (await this.#send('GET', `${this.#collection.path}?limit=${listed}`)),
    update: n => this.#update(n),
    watch: async n => {
      await this.#update(n)
      await this.#crowd?.delivered()
    },
  }

  async #update(n: number): Promise<void> {
    const index = n % objects
    const body = this.#body(index, n + 1, `"resourceVersion":"${this.#versions[index]}",`)
    this.#versions[index] = versionIn(await this.#send('PUT', `${this.#collection.path}/o-${index}`, body))
  }
  #body(index: number, sequence: number, version = ''): string {
    const { head, fields } = this.#collection.shape
    const metadata = `"metadata":{"name":"o-${index}",${version}"labels":{"app":"bench"}}`
    return `{${head},${metadata},${fields(payload(index + sequence, size), sequence)}}`
  }
  async #send(method: string, path: string, body?: string): Promise<Buffer> {
    const answer = await this.#pool.request(method, path, { body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.toString()}`)
    return answer.body
  }
}

const versionIn = (body: Buffer): string =>
  /"resourceVersion":"(\d+)"/.exec(body.toString('latin1', 0, 2000))?.[1] ?? ''
