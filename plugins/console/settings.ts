/** What the page must know before anybody has signed in: names of the vendor, and which pages there are. */
export interface PageSettings {
  readonly title: string
  /** Group of Table and PartialObjectMetadata. */
  readonly metaGroup: string
  /** The domain in names of protocols. */
  readonly groupDomain: string
  /** Groups by what they are called in every vendor. */
  readonly groups: Readonly<
    Record<
      | 'authentication'
      | 'authorization'
      | 'certificates'
      | 'customTypes'
      | 'discovery'
      | 'events'
      | 'plugins'
      | 'roles',
      string
    >
  >
  /** Prefix of extensions in OpenAPI. */
  readonly extensionPrefix: string
  /** The annotation by which a restart of a workload is asked for. */
  readonly restartAnnotation: string
  readonly systemNamespace: string
  /** The command-line client. */
  readonly cli: string
  readonly pages: readonly {
    readonly name: string
    readonly title: string
    readonly plugin: string
    readonly module: string
    readonly type?: { readonly group: string; readonly resource: string }
  }[]
}

/** What `/console/counts` answers: how many objects there are, by `resource.group`. */
export type ObjectCounts = Record<string, number>

/** What `/console/me` answers. */
export interface Me {
  readonly name: string
  readonly groups: readonly string[]
  /** Namespaces in which roles give this user something. */
  readonly namespaces: readonly string[]
  /** Were there too many namespaces to look at each? */
  readonly isPartial: boolean
}
