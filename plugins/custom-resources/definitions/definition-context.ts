import type { Features } from '../features.js'
import type { CustomResourceNames } from '../names.js'

/** What the validation of a definition needs. Plain data, which the validation thread gets as it is. */
export interface DefinitionContext {
  readonly names: CustomResourceNames
  readonly features: Features
  /** What was accepted before, on updates. */
  readonly accepted?: AcceptedBefore
}
/** What the stored definition has. */
export interface AcceptedBefore {
  /** Expressions of rules and messages: they may use all functions. */
  readonly expressions: readonly string[]
  /** Versions whose schema is the same: a rule of theirs is not refused for its cost. */
  readonly unchangedVersions: readonly string[]
  /** Versions that had more selectable fields than allowed, and have the same ones still. */
  readonly manySelectable: readonly string[]
  /** Whether it is established, and so must keep a valid CA bundle. */
  readonly isEstablished: boolean
  readonly caBundle: string
}
