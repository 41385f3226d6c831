export type MediaFormat = 'json' | 'yaml' | 'protobuf'
/** The form of a response: its encoding, and whether it shows the object itself or a view of it. */
export interface Representation {
  readonly format: MediaFormat
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  /** The version of the meta group that the view is requested in. */
  readonly metaVersion: string
  /** Media type to answer with. */
  readonly contentType: string
  /** The media type asks for indented JSON. */
  readonly isPretty?: boolean
  /** The next form that the client accepts, for a type that has no Protobuf form. */
  readonly fallback: Representation | undefined
  /** The form of errors where it is another one: they have a Protobuf form, whether the type has one or not. */
  readonly ofErrors?: Representation
  /** The preferred form that is not a view, for resources without views. */
  readonly plain?: Representation | undefined
}
