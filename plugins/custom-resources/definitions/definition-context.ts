import type { Features } from '../features.js'
import type { CustomResourceNames } from '../names.js'

/** Context of the validation of a definition. Plain data, because it is sent to the validation thread. */
export interface DefinitionContext {
  readonly names: CustomResourceNames
  readonly features: Features
  /** Properties of the stored definition, on updates. */
  readonly accepted?: AcceptedBefore
}
/** Properties of the stored definition that an update may keep. */
export interface AcceptedBefore {
  /** Expressions of rules and messages: they may use all functions. */
  readonly expressions: readonly string[]
  /** Versions with an unchanged schema: their rules are not rejected for their cost. */
  readonly unchangedVersions: readonly string[]
  /** Versions that have more selectable fields than allowed, and did not change them. */
  readonly manySelectable: readonly string[]
  /** Whether it is established, and so must keep a valid CA bundle. */
  readonly isEstablished: boolean
  readonly caBundle: string
}
