import type { Authorizer, Clock, Gauge, Needs, Resolved, Vendor } from 'orch/sdk'
import type { Store } from 'orch/sdk/host'
import type { AdmissionChain } from '../admission/admission-chain.js'
import type { Representations } from '../representation/representations.js'
import type { YamlBodies } from '../representation/yaml-bodies.js'
import type { ResourceTypes } from '../types/resource-types.js'
import type { InitialStates } from '../watch/initial-state.js'
import type { WatchHub } from '../watch/watch-hub.js'

/** What the verbs need. */
export interface ResourceServices {
  readonly store: Store
  readonly hub: WatchHub
  readonly initialStates: InitialStates
  readonly types: ResourceTypes
  readonly vendor: Vendor
  readonly admission: AdmissionChain
  readonly authorizer: Authorizer
  readonly clock: Clock
  readonly representations: Representations
  readonly yaml: YamlBodies
  readonly limits: Limits
  /** Set to 1 for every deprecated API that was requested. */
  readonly deprecatedRequests: Gauge
  /** Resolves the services that a definition of a plugin needs. */
  resolve<N extends Needs>(plugin: string, needs: N | undefined): Resolved<N>
}

/** Limits that an operator may tune. */
export interface Limits {
  readonly bodyBytes: number
  /** The largest object that is stored, in bytes of JSON. */
  readonly objectBytes: number
  /** How long a read waits for a future revision. */
  readonly futureVersionWaitMs: number
  readonly minWatchTimeoutMs: number
  readonly watchBufferBytes: number
  /** Whether lists are paged when the client sets a limit. */
  readonly listsInChunks: boolean
  /** Whether unreadable objects may be deleted. Otherwise the option is ignored for collections. */
  readonly deletesUnreadable: boolean
  /** Whether watches support sendInitialEvents. */
  readonly streamsLists: boolean
}
