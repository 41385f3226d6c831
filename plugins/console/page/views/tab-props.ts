import type { ApiObject } from '../model/api.js'
import type { ResourceType } from '../model/resource-type.js'

/** What every part of an object's page is about. */
export interface TabProps {
  readonly type: ResourceType
  readonly object: ApiObject
}
