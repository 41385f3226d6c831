import type { RequestContext } from '../contracts/request-context.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'
import type { ResourceServices } from './resource-services.js'

/** The input of a verb: the type and version of the URL, after authorization. It responds through the context. */
export interface VerbRequest {
  readonly services: ResourceServices
  readonly context: RequestContext
  readonly type: ResourceType
  readonly version: CompiledVersion
}
/** Answers the request; throws an ApiError to refuse it. */
export type VerbHandler = (request: VerbRequest) => void | Promise<void>
