import { kubernetesProfile, orchProfile, Vendor } from 'orch/sdk'
import { type AttackedServer, type ServerKind, startAttacked } from '../limits/attacked-server.js'
import { eventually } from '../support/eventually.js'
import { type Corpus, loadCorpus } from './corpus.js'
import { customTypes } from './custom-types.js'
import { judgeAnswer } from './judge-answer.js'
import type { Vocabulary } from './random-body.js'
import { type FuzzRequest, isFatal, randomRequest } from './random-request.js'
import { RawConnection } from './raw-connection.js'
import { SeededRandom } from './seeded-random.js'
import { discoverApi, type Target } from './served-api.js'

export interface FuzzOptions {
  readonly requests: number
  readonly seed: number
  readonly kind: ServerKind
  readonly vendor: 'orch' | 'kubernetes'
  /** Called now and then. */
  progress?(text: string): void
}
export interface FuzzReport {
  /** One or more lines for each problem. */
  readonly failures: readonly string[]
  /** How often each status came. */
  readonly statuses: ReadonlyMap<number, number>
  readonly slowestMs: number
  readonly residentMegabytes: { readonly early: number; readonly late: number }
  readonly requestsPerSecond: number
}

const lanes = 12
const laneSeedStep = 1_000_003
const failuresShown = 20
const shownLength = 1500
/** No response may take longer on an idle machine. */
const slowMs = 1000
const slowKept = 100
const attemptsWhenSlow = 4
/** How much the memory may grow after the first third, in a short run whose processes are not warmed up. */
const growthMegabytes = { 'one process': 150, 'two workers': 200, 'the etcd engine': 200 }
const metricsRead = 10

/** Sends requests to everything that is served, and reports problems with the responses and with the server afterwards. */
export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { vendor, kind } = options
  const server = await startAttacked(kind, [
    `--vendor=${vendor}`,
    '--authorization-mode=RBAC',
    '--runtime-config=api/all=true',
  ])
  try {
    const vocabulary = await prepare(server, vendor)
    await server.atRest()
    return await new FuzzRun(server, vocabulary, options).run()
  } finally {
    await server.stop()
  }
}

/** Creates namespaces, and a user who may do everything in one of them. */
async function prepare(server: AttackedServer, vendor: FuzzOptions['vendor']): Promise<Vocabulary> {
  const { profile, metaGroup, ...rest } = vendorOf(vendor)
  const apiGroup = rest.rbac
  const create = async (path: string, object: object) => {
    const { status, text } = await server.ask('POST', path, object)
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`)
  }
  for (const name of ['fuzz', 'other']) await create('/api/v1/namespaces', { metadata: { name } })
  const roles = `/apis/${apiGroup}/v1/namespaces/fuzz`
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
  await create(`${roles}/roles`, { metadata: { name: 'owner' }, rules })
  await create(`${roles}/rolebindings`, {
    metadata: { name: 'owner' },
    roleRef: { apiGroup, kind: 'Role', name: 'owner' },
    subjects: [{ apiGroup, kind: 'User', name: 'ann' }],
  })
  const definitions = `/apis/${rest.definitions}/v1/customresourcedefinitions`
  for (const definition of customTypes(vendor)) await create(definitions, definition)
  const api = await discoverApi(async path => JSON.parse((await server.ask('GET', path)).text))
  const corpus = loadCorpus(vendor)
  for (const target of api.targets) await plant(server, corpus, target)
  return { api, corpus, protobufType: profile.protobufMediaType, metaGroup }
}

const bodiesTried = 25

/** Creates an object for requests to act on, if a recorded body is accepted. */
async function plant(server: AttackedServer, corpus: Corpus, target: Target): Promise<void> {
  const { root, resource, subresource, namespaced, verbs } = target
  const path = `${root}${namespaced ? '/namespaces/fuzz' : ''}/${resource}`
  if (subresource !== '' || !verbs.includes('get') || !verbs.includes('create') || isFatal(path)) return
  for (const text of corpus.get(`${root}/${resource}`)?.slice(0, bodiesTried) ?? []) {
    const { status } = await server.ask('POST', path, { ...JSON.parse(text), metadata: { name: 'a' } })
    if (status === 201) return
  }
}

function vendorOf(name: FuzzOptions['vendor']) {
  const profile = name === 'orch' ? orchProfile : kubernetesProfile
  const vendor = new Vendor(profile)
  return {
    profile,
    metaGroup: vendor.metaGroup,
    rbac: vendor.group('rbac.authorization'),
    webhooks: vendor.group('admissionregistration'),
    definitions: vendor.group('apiextensions'),
  }
}

class FuzzRun {
  readonly #server: AttackedServer
  readonly #vocabulary: Vocabulary
  readonly #options: FuzzOptions
  readonly #webhookGroup: string
  readonly #failures: string[] = []
  readonly #statuses = new Map<number, number>()
  readonly #slow: { request: FuzzRequest; place: string; tookMs: number }[] = []
  #slowestMs = 0
  #sent = 0
  #earlyBytes = 0

  constructor(server: AttackedServer, vocabulary: Vocabulary, options: FuzzOptions) {
    this.#server = server
    this.#vocabulary = vocabulary
    this.#options = options
    this.#webhookGroup = vendorOf(options.vendor).webhooks
  }

  async run(): Promise<FuzzReport> {
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: lanes }, (_, lane) => this.#lane(lane)))
    const seconds = (performance.now() - startedAt) / 1000
    await this.#tryAgain()
    const lateBytes = await this.#checkRest()
    const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20)
    return {
      failures: this.#failures,
      statuses: new Map([...this.#statuses].sort(([left], [right]) => left - right)),
      slowestMs: Math.round(this.#slowestMs),
      residentMegabytes: { early: megabytes(this.#earlyBytes), late: megabytes(lateBytes) },
      requestsPerSecond: Math.round(this.#sent / seconds),
    }
  }

  /** Each lane has its own share of the requests, so that the same seed makes the same requests. */
  async #lane(lane: number): Promise<void> {
    const { requests, seed } = this.#options
    const random = new SeededRandom(seed + lane * laneSeedStep)
    const connection = new RawConnection(this.#server.url)
    const share = Math.ceil(requests / lanes)
    for (let index = 0; index < share && this.#failures.length < failuresShown; index++) {
      const request = randomRequest(random, this.#vocabulary)
      const place = `seed ${seed}, lane ${lane}, request ${index}`
      const tookMs = await this.#send(connection, request, place)
      this.#slowestMs = Math.max(this.#slowestMs, request.isWatch || request.mayBeLate ? 0 : tookMs)
      if (tookMs > slowMs && this.#slow.length < slowKept) this.#slow.push({ request, place, tookMs })
      this.#count()
      if (this.#sent === Math.ceil(requests / 3)) await this.#measureEarly()
    }
    connection.close()
  }

  /** Like the measurement at the end, after which metrics are read repeatedly: that takes memory, too. */
  async #measureEarly(): Promise<void> {
    for (let times = 0; times < metricsRead; times++) await this.#server.metrics()
    this.#earlyBytes = this.#server.residentBytes()
  }

  #count(): void {
    const { requests, progress } = this.#options
    this.#sent++
    if (this.#sent % 10_000 === 0)
      progress?.(`${this.#sent} of ${requests}, ${Math.round(this.#server.residentBytes() / 2 ** 20)} MB`)
  }

  /** Sends a request and checks the response. Returns how long it took. */
  async #send(connection: RawConnection, request: FuzzRequest, place: string): Promise<number> {
    const startedAt = performance.now()
    const reading = { isHead: request.method === 'HEAD', isWatch: request.isWatch }
    const problem = await connection.exchange(request.bytes, reading).then(
      answer => {
        this.#statuses.set(answer.status, (this.#statuses.get(answer.status) ?? 0) + 1)
        return judgeAnswer(request, answer)
      },
      error => String(error),
    )
    if (problem) this.#failures.push(`${place}: ${problem}\n    ${shownBytes(request)}`)
    return performance.now() - startedAt
  }

  /** Slow requests may have waited for others: they are repeated alone, and the best attempt must be fast. */
  async #tryAgain(): Promise<void> {
    // Requests that wait for a webhook or a deleted account have their own timeout.
    for (const namespace of ['fuzz', 'other'])
      await this.#server.ask('POST', `/api/v1/namespaces/${namespace}/serviceaccounts`, {
        metadata: { name: 'default' },
      })
    for (const kind of ['validating', 'mutating'])
      await this.#server.ask('DELETE', `/apis/${this.#webhookGroup}/v1/${kind}webhookconfigurations`)
    const connection = new RawConnection(this.#server.url)
    for (const { request, place, tookMs } of this.#slow) {
      if (request.isWatch || request.mayBeLate) continue
      let bestMs = tookMs
      for (let attempt = 0; attempt < attemptsWhenSlow && bestMs > slowMs; attempt++)
        bestMs = Math.min(bestMs, await this.#send(connection, request, place))
      if (bestMs > slowMs) this.#failures.push(`${place}: took ${Math.round(bestMs)} ms\n    ${shownBytes(request)}`)
    }
    connection.close()
  }

  /** Checks for leaks: seats, watches, connections, descriptors, memory. */
  async #checkRest(): Promise<number> {
    const note = (what: string) => (error: unknown) => void this.#failures.push(`${what}: ${(error as Error).message}`)
    await this.#server.atRest().catch(note('afterwards'))
    const { status } = await this.#server.ask('GET', '/api/v1/namespaces/fuzz')
    if (status !== 200) this.#failures.push(`afterwards a namespace is read with ${status}`)
    const crashes = /unhandled|uncaught|worker exited|heap out of memory/i.exec(this.#server.output())
    if (crashes)
      this.#failures.push(`the server said: ${this.#server.output().slice(crashes.index, crashes.index + 500)}`)
    const limit = this.#earlyBytes + growthMegabytes[this.#options.kind] * 2 ** 20
    let bytes = 0
    await eventually('memory to be released', () => (bytes = this.#server.residentBytes()) < limit, 60_000).catch(
      note(`${Math.round(bytes / 2 ** 20)} MB instead of ${Math.round(this.#earlyBytes / 2 ** 20)}`),
    )
    return this.#server.residentBytes()
  }
}

const shownBytes = ({ bytes }: FuzzRequest) => JSON.stringify(bytes.toString('latin1', 0, shownLength))
