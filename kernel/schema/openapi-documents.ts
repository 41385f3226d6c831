import type { Vendor } from 'orch/sdk'
import type { OpenApiDocuments } from '../http/serve-paths.js'
import type { ResourceTypes } from '../resources/resource-types.js'

/** The OpenAPI documents of everything served, made on first request. */
export function openApiDocuments(_types: ResourceTypes, _vendor: Vendor): OpenApiDocuments {
  return { answer: () => undefined }
}
