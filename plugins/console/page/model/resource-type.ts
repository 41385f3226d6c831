/** A served type. */
export interface ResourceType {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly kind: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly isNamespaced: boolean
  readonly verbs: readonly string[]
  readonly subresources: readonly string[]
}
