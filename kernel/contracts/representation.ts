export type MediaFormat = 'json' | 'yaml' | 'protobuf'
/** The form of the answer: which encoding, and whether the object itself or a view of it. */
export interface Representation {
  readonly format: MediaFormat
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  /** The version of the meta group the view is wanted in. */
  readonly metaVersion: string
  /** Media type to answer with. */
  readonly contentType: string
  /** The client asks for indented JSON beside the media type. */
  readonly isPretty?: boolean
  /** What the client accepts instead, for a type that has no Protobuf form. */
  readonly fallback: Representation | undefined
  /** The most wanted form that is no view, for what has no views. */
  readonly plain?: Representation | undefined
}
