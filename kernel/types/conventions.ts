import type { ResourceDefinition } from 'orch/sdk'

/**
 * Where Kubernetes serves types that clients were built with in one way and types that came as data (custom resources) in another.
 * A type follows one of the two sets below; whoever serves it asks for the convention that it means.
 */
export interface Conventions {
  readonly hasProtobuf: boolean
  readonly acceptsStrategicMerge: boolean
  /** Does every object say its kind and version, in lists too, and are they checked in a body as fields are? */
  readonly objectsNameTheirType: boolean
  /** Is a path that the type does not serve answered with the page for unknown paths, and not with a Status? */
  readonly unknownPathsArePages: boolean
  /** Do errors about methods and subresources name the type or object? */
  readonly errorsNameTheSubject: boolean
  /** Do errors about media types have the fields of a Status that are empty? */
  readonly mediaTypeErrorsHaveDetails: boolean
  /** Can an update or patch be sent to a collection, to be refused for the lack of a name? */
  readonly routesUnnamedWrites: boolean
  /** Can cluster-scoped objects be selected by their (empty) namespace if no selectable fields are declared? */
  readonly selectsByEmptyNamespace: boolean
  /** Does the last page of a list carry an empty continue token? */
  readonly writesEmptyContinue: boolean
  /** Does a bookmark have the fields that every object of the type has? */
  readonly bookmarksAreWhole: boolean
  /** Are unknown fields reported in the order of the document? */
  readonly reportsInDocumentOrder: boolean
  readonly discovery: {
    readonly derivesSingular: boolean
    /** In every version of the API, and not only from one on. */
    readonly alwaysTellsSingular: boolean
    readonly sortsSubresources: boolean
    /** Do resources in aggregated discovery name the group and version that are those of the whole list? */
    readonly repeatsGroupVersion: boolean
  }
  readonly openApi: {
    /** Is the type described apart from those of its group, because it can change by itself? */
    readonly isPartOfItsOwn: boolean
    readonly describesConsumedTypes: boolean
    readonly describesReadParameters: boolean
    readonly patchesAsWrites: boolean
  }
}

const builtIn: Conventions = {
  hasProtobuf: true,
  acceptsStrategicMerge: true,
  objectsNameTheirType: false,
  unknownPathsArePages: false,
  errorsNameTheSubject: false,
  mediaTypeErrorsHaveDetails: true,
  routesUnnamedWrites: false,
  selectsByEmptyNamespace: true,
  writesEmptyContinue: false,
  bookmarksAreWhole: true,
  reportsInDocumentOrder: true,
  discovery: {
    derivesSingular: true,
    alwaysTellsSingular: false,
    sortsSubresources: true,
    repeatsGroupVersion: false,
  },
  openApi: {
    isPartOfItsOwn: false,
    describesConsumedTypes: false,
    describesReadParameters: false,
    patchesAsWrites: false,
  },
}
const custom: Conventions = {
  hasProtobuf: false,
  acceptsStrategicMerge: false,
  objectsNameTheirType: true,
  unknownPathsArePages: true,
  errorsNameTheSubject: true,
  mediaTypeErrorsHaveDetails: false,
  routesUnnamedWrites: true,
  selectsByEmptyNamespace: false,
  writesEmptyContinue: true,
  bookmarksAreWhole: false,
  reportsInDocumentOrder: false,
  discovery: {
    derivesSingular: false,
    alwaysTellsSingular: true,
    sortsSubresources: false,
    repeatsGroupVersion: true,
  },
  openApi: {
    isPartOfItsOwn: true,
    describesConsumedTypes: true,
    describesReadParameters: true,
    patchesAsWrites: true,
  },
}

export const conventionsOf = ({ unstructured = false }: Pick<ResourceDefinition, 'unstructured'>): Conventions =>
  unstructured ? custom : builtIn
