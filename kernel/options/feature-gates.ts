import { type FeatureGate, ownValue, type Vendor, type VersionName } from 'orch/sdk'
import type { GateEra, GateStage } from 'orch/sdk/host'
import { nearestName } from '../contracts/nearest-name.js'

/** Gates of the kernel itself. */
export const kernelGates = {
  AggregatedDiscoveryEndpoint: {
    stage: 'stable',
    description: 'Discovery is served in one document to clients that request it.',
    history: readGateHistory('1.26 alpha off, 1.27 beta on, 1.30 stable on locked'),
  },
  AggregatedDiscoveryRemoveBetaType: {
    stage: 'deprecated',
    description: 'Discovery in one document is not served in the version v2beta1.',
  },
  AllowUnsafeMalformedObjectDeletion: {
    stage: 'beta',
    description: 'Objects that cannot be read are deleted on demand.',
  },
  AuthorizeWithSelectors: { stage: 'stable', description: 'Authorizers see the selectors of lists and watches.' },
  ComponentFlagz: { stage: 'beta', description: 'The page /flagz shows the flags of the server.' },
  ComponentStatusz: {
    stage: 'beta',
    description: 'The page /statusz shows version and start time of the server.',
  },
  ConstrainedImpersonation: {
    stage: 'beta',
    description: 'Impersonation can be allowed for certain requests only (impersonate:user-info and others).',
  },
  APIListChunking: { stage: 'beta', description: 'Lists are served in chunks to clients that set a limit.' },
  WatchList: {
    stage: 'beta',
    description: 'Watches send the initial state to clients that request it, and mark its end.',
  },
} as const satisfies Readonly<Record<string, FeatureGate>>

/** Names for all gates of a stage. */
const groups: Readonly<Record<string, FeatureGate['stage']>> = { AllAlpha: 'alpha', AllBeta: 'beta' }
const yes = /^(1|t|true|TRUE|True)$/
const no = /^(0|f|false|FALSE|False)$/
/** Gates without a history are in every version. */
const always: VersionName = '0.0'

/**
 * The feature gates and their state. A gate has the stage and the default of the version that is served; one that this version
 * does not have is off and cannot be named.
 */
export class FeatureGates {
  readonly #declared: ReadonlyMap<string, FeatureGate>
  readonly #chosen: Readonly<Record<string, string>>
  readonly #vendor: Vendor
  readonly #eras = new Map<string, GateEra>()

  constructor(
    declared: readonly Readonly<Record<string, FeatureGate>>[],
    chosen: Readonly<Record<string, string>>,
    vendor: Vendor,
  ) {
    this.#declared = new Map([kernelGates, ...declared].flatMap(gates => Object.entries(gates)))
    this.#chosen = chosen
    this.#vendor = vendor
    for (const name of [...this.#declared.keys(), ...this.#foreignNames()]) {
      const era = this.#eraOf(name)
      if (era) this.#eras.set(name, era)
    }
  }

  /** All names that can be turned on or off. */
  get names(): readonly string[] {
    return [...this.#eras.keys(), ...Object.keys(groups)]
  }

  /** A setting of the gate itself takes precedence over one of its stage. */
  isEnabled(name: string): boolean {
    const era = this.#eras.get(name)
    if (!era) return false
    if (era.isLocked) return era.isOn
    const group = Object.keys(groups).find(each => groups[each] === era.stage) ?? ''
    const chosen = this.#chosen[name] ?? this.#chosen[group]
    return chosen === undefined ? era.isOn : yes.test(chosen)
  }

  /** The problems of the settings, one line each. */
  problems(): string[] {
    const known = this.names
    return Object.entries(this.#chosen).flatMap(([name, value]) => {
      if (!known.includes(name)) {
        const nearest = nearestName(name, known)
        return [
          `there is no gate "${name}"${nearest ? `, did you mean "${nearest}"?` : `; known are ${[...this.#declared.keys()].sort().join(', ')}`}`,
        ]
      }
      if (!yes.test(value) && !no.test(value)) return [`gate ${name} must be true or false, not "${value}"`]
      const era = this.#eras.get(name)
      if (!era?.isLocked || yes.test(value) === era.isOn) return []
      return [
        `gate ${name} is locked ${era.isOn ? 'on' : 'off'} at this version and cannot be turned ${era.isOn ? 'off' : 'on'}`,
      ]
    })
  }

  /** Settings that are accepted and change nothing: no plugin of this server implements these gates. */
  withoutEffect(): string[] {
    return Object.keys(this.#chosen).filter(name => this.#eras.has(name) && !this.#declared.has(name))
  }

  /** Gates of the vendor that no plugin declares. */
  #foreignNames(): readonly string[] {
    return Object.keys(this.#vendor.profile.gates ?? {}).filter(name => !this.#declared.has(name))
  }

  #eraOf(name: string): GateEra | undefined {
    const { level } = this.#vendor
    const declared = this.#declared.get(name)
    const ofVendor = ownValue(this.#vendor.profile.gates, name)
    const history = declared?.history ?? (ofVendor === undefined ? undefined : readGateHistory(ofVendor))
    if (history) return history.filter(({ since }) => level.isSince(since)).at(-1)
    if (!declared) return undefined
    const { stage } = declared
    return { since: always, stage, isOn: stage === 'beta' || stage === 'stable', isLocked: stage === 'stable' }
  }
}

/** A history as text: `1.18 alpha off, 1.24 beta on, 1.33 stable on locked`. */
function readGateHistory(history: string): readonly GateEra[] {
  return history.split(', ').map(era => {
    const [since, stage, isOn, locked] = era.split(' ')
    return {
      since: since as VersionName,
      stage: stage as GateStage,
      isOn: isOn === 'on',
      isLocked: locked !== undefined,
    }
  })
}
