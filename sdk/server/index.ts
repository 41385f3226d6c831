/** For plugins that extend the server itself: routes, pages, limits, traces, recordings, delegation, live types. */

export type { CatalogueChange, ConvertObjects } from '../resource/resource.js'
export {
  type ApiDelegate,
  type ApiDelegation,
  apiDelegation,
  type DelegatedDiscovery,
  type DelegatedRequest,
  type GroupVersions,
  type ListedResource,
} from './api-delegation.js'
export { type ContributedConsolePage, defineConsolePage } from './console-page.js'
export type { DescribedObjects } from './described-objects.js'
export { type RecordedChange, type RecordedRequest, type Recorder, recorder } from './recorder.js'
export { type LimitedRequest, type RequestLimiter, type RequestLimits, requestLimiter } from './request-limiter.js'
export {
  asStage,
  type RequestTracer,
  requestTracer,
  type TraceAttributes,
  type TracedRequest,
  type TraceStage,
} from './request-tracer.js'
export {
  defineRoute,
  jsonFields,
  type RouteAnswer,
  type RouteDefinition,
  type RouteRequest,
  requiredText,
} from './route.js'
export { staticFiles } from './static-files.js'
export { defineTypeSource } from './type-source.js'
