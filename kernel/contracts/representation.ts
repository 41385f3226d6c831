export type MediaFormat = 'json' | 'yaml' | 'protobuf'
/** The form of the answer: which encoding, and whether the object itself or a view of it. */
export interface Representation {
  readonly format: MediaFormat
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  /** The version of the meta group that the view is requested in. */
  readonly metaVersion: string
  /** Media type to answer with. */
  readonly contentType: string
  /** The client asks for indented JSON beside the media type. */
  readonly isPretty?: boolean
  /** What the client accepts instead, for a type that has no Protobuf form. */
  readonly fallback: Representation | undefined
  /** The preferred form that is not a view, for resources without views. */
  readonly plain?: Representation | undefined
}
