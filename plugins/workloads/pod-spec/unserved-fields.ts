import type { PodSpec } from 'orch/sdk'

/**
 * Takes out what the reference knows but does not serve in its default setting: the operating system of a Pod, and views
 * of /proc other than the usual one. They go before anything judges the Pod, so that nobody is refused for what would
 * not happen.
 */
export function dropUnservedFields(spec: PodSpec | undefined): void {
  const containers = [
    ...(spec?.containers ?? []),
    ...(spec?.initContainers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ]
  for (const { securityContext } of containers)
    if (securityContext?.procMount !== undefined) securityContext.procMount = 'Default'
  delete spec?.os
}
