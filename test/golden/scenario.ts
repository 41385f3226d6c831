import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ExtensionServer } from './extension-server.js'
import type { JsonObject } from './json-paths.js'

/** A recorded conversation: steps in order, with the expected response of each. */
export interface Scenario {
  readonly name: string
  readonly area: string
  readonly profile?: string
  /** Runs alone, after the others. */
  readonly serial?: boolean
  /** Required features of the server; `--without` excludes scenarios by them. */
  readonly requires?: readonly string[]
  readonly vars?: Readonly<Record<string, string>>
  readonly steps: readonly Step[]
  /** `area/file.json`. */
  readonly file: string
}

/** One step. A request unless `op` says otherwise. */
export interface Step {
  readonly op?:
    | 'sleep'
    | 'watch'
    | 'watchEnd'
    | 'webhook'
    | 'webhookReady'
    | 'webhookCalls'
    | 'externalCalls'
    | 'extension'
    | 'extensionCalls'
    | 'parallel'
  readonly as?: string | { readonly bearer: string }
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: unknown
  readonly bodyText?: string
  readonly bodyBase64?: string
  readonly bodyRepeat?: { readonly bytes: number; readonly body: unknown }
  readonly save?: Readonly<Record<string, string>>
  /** Variables that take the value of a response header. */
  readonly saveHeaders?: Readonly<Record<string, string>>
  readonly waitFor?: WaitFor
  readonly expect?: Expectation
  /** Must succeed and is not counted; `exists` also accepts an existing object. */
  readonly setup?: boolean | 'exists'
  /** Runs at the end, whatever happened. */
  readonly cleanup?: boolean
  readonly pick?: readonly string[]
  readonly project?: Readonly<Record<string, unknown>>
  readonly unordered?: boolean | number
  readonly pretty?: boolean
  readonly headersOf?: readonly string[]
  readonly noBody?: boolean
  /** The body is JSON, whatever its type says. */
  readonly json?: boolean
  readonly rawBody?: boolean | 'text'
  readonly ms?: number
  readonly id?: string
  /** Whether bookmarks are compared; `initial` keeps the one that ends the initial events of a streaming list. */
  readonly bookmarks?: boolean | 'initial'
  readonly untilClosed?: boolean
  readonly maxMs?: number
  readonly quietMs?: number
  readonly key?: string
  readonly response?: unknown
  readonly responses?: readonly unknown[]
  readonly routes?: ExtensionServer['routes']
  readonly probe?: Step
  readonly settleMs?: number
  readonly order?: string
  /** Keeps this many of the calls. */
  readonly first?: number
  readonly pickCalls?: readonly string[]
  readonly match?: string
  readonly requests?: readonly Step[]
}

export interface WaitFor {
  readonly status?: number
  readonly path?: string
  readonly equals?: unknown
  readonly absent?: boolean
  readonly length?: number
  /** A list has, or lacks, an entry with these fields. */
  readonly has?: JsonObject
  readonly lacks?: JsonObject
  readonly timeoutMs?: number
  readonly everyMs?: number
}

export interface Expectation {
  readonly status: number
  readonly error?: string
  readonly body?: unknown
  readonly [part: string]: unknown
}

/** Steps that only prepare others and are not counted. */
const preparing = ['sleep', 'watch', 'webhook', 'webhookReady', 'extension']
export const isCounted = (step: Step): boolean => !step.setup && !preparing.includes(step.op ?? '')

/** Every scenario below a folder, by area and file name. */
export function loadScenarios(folder: string): Scenario[] {
  const areas = readdirSync(folder).filter(area => area !== 'fixtures' && statSync(join(folder, area)).isDirectory())
  return areas.sort().flatMap(area =>
    readdirSync(join(folder, area))
      .filter(file => file.endsWith('.json'))
      .sort()
      .map(file => ({ ...JSON.parse(readFileSync(join(folder, area, file), 'utf8')), file: `${area}/${file}` })),
  )
}

export interface Selection {
  readonly areas?: readonly string[]
  readonly only?: string
  readonly profile?: string
  readonly without?: readonly string[]
}

/** The scenarios of a run: those of profile `base` by default; `all` means every profile. */
export function selectScenarios(scenarios: readonly Scenario[], selection: Selection): Scenario[] {
  const { areas, only, profile = 'base', without = [] } = selection
  return scenarios.filter(
    scenario =>
      (areas === undefined || areas.includes(scenario.area)) &&
      (profile === 'all' || (scenario.profile ?? 'base') === profile) &&
      (only === undefined || `${scenario.area}/${scenario.name}`.includes(only)) &&
      !(scenario.requires ?? []).some(tag => without.includes(tag)),
  )
}
