/** The settings that the page needs before the sign-in: names of the vendor, and the pages of plugins. */
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
  /** The annotation that requests a restart of a workload. */
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

/** The response of `/console/counts`: numbers of objects by `resource.group`. */
export type ObjectCounts = Record<string, number>

/** The response of `/console/me`. */
export interface Me {
  readonly name: string
  readonly groups: readonly string[]
  /** Namespaces in which roles grant this user permissions. */
  readonly namespaces: readonly string[]
  /** Were there too many namespaces to check each? */
  readonly isPartial: boolean
}
