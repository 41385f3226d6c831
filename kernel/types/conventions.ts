import type { ResourceDefinition } from 'orch/sdk'

/**
 * The differences between the way Kubernetes serves built-in types and custom resources. A type follows one of the two sets below;
 * code that depends on the difference checks the convention it is about, and not the origin of the type.
 */
export interface Conventions {
  readonly hasProtobuf: boolean
  readonly acceptsStrategicMerge: boolean
  /** Does every object have its kind and version, in lists too, and are they checked in a body like other fields? */
  readonly objectsNameTheirType: boolean
  /** Is the 404 for a path that the type does not serve the plain-text page, and not a Status? */
  readonly unknownPathsArePages: boolean
  /** Do errors about methods and subresources name the type or object? */
  readonly errorsNameTheSubject: boolean
  /** Do errors about media types include the empty fields of a Status? */
  readonly mediaTypeErrorsHaveDetails: boolean
  /** Is an update or patch of a collection routed, and rejected because the name is missing? */
  readonly routesUnnamedWrites: boolean
  /** Can cluster-scoped objects be selected by their (empty) namespace if no selectable fields are declared? */
  readonly selectsByEmptyNamespace: boolean
  /** Does the last page of a list carry an empty continue token? */
  readonly writesEmptyContinue: boolean
  /** Does a bookmark have the fields that are always written for objects of the type? */
  readonly bookmarksAreWhole: boolean
  /** Are unknown fields reported in the order of the document? */
  readonly reportsInDocumentOrder: boolean
  readonly discovery: {
    readonly derivesSingular: boolean
    /** In every version of the API, and not only since a particular one. */
    readonly alwaysHasSingular: boolean
    readonly sortsSubresources: boolean
    /** Do resources in aggregated discovery repeat the group and version of their list? */
    readonly repeatsGroupVersion: boolean
  }
  readonly openApi: {
    /** Is the type described separately from the others of its group, because it can change on its own? */
    readonly isSeparateDocumentPart: boolean
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
    alwaysHasSingular: false,
    sortsSubresources: true,
    repeatsGroupVersion: false,
  },
  openApi: {
    isSeparateDocumentPart: false,
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
    alwaysHasSingular: true,
    sortsSubresources: false,
    repeatsGroupVersion: true,
  },
  openApi: {
    isSeparateDocumentPart: true,
    describesConsumedTypes: true,
    describesReadParameters: true,
    patchesAsWrites: true,
  },
}

export const conventionsOf = ({ unstructured = false }: Pick<ResourceDefinition, 'unstructured'>): Conventions =>
  unstructured ? custom : builtIn
