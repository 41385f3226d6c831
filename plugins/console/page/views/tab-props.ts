import type { ApiObject } from '../model/api.js'
import type { ResourceType } from '../model/resource-type.js'

/** The properties of all tabs of an object's page. */
export interface TabProps {
  readonly type: ResourceType
  readonly object: ApiObject
}
