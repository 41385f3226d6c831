import { pluginHost } from '../server/plugin-host.js'
import { sharedWork } from '../server/shared-work.js'

/**
 * The values behind `orch/sdk/proposed`, by name. They are tokens of services, because `needs` tells the kernel who uses
 * one, whatever language and form a plugin has.
 */
export const proposedServices = { pluginHost, sharedWork } as const
