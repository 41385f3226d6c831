import { ApiError, type ApiObject, badRequest, type ConnectRequest } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'

export const podOf = ({ target }: ConnectRequest) => target as ApiObject & Pod

/** The container must exist, and must be named unless there is only one. */
export function checkContainer({ metadata, spec }: ApiObject & Pod, container: string): void {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec
  const names = (of: readonly { name: string }[]) => of.map(({ name }) => name)
  if (container !== '') {
    if (names([...containers, ...initContainers, ...ephemeralContainers]).includes(container)) return
    throw badRequest(`container ${container} is not valid for pod ${metadata.name}`)
  }
  if (containers.length === 1) return
  const orInit = initContainers.length > 0 ? ` or one of the init containers: [${names(initContainers).join(' ')}]` : ''
  const choice = `choose one of: [${names(containers).join(' ')}]${orInit}`
  throw badRequest(`a container name must be specified for pod ${metadata.name}, ${choice}`)
}

/** The node of the Pod. Throws if it has none. */
export function nodeOf({ metadata, spec }: ApiObject & Pod): string {
  if (!spec.nodeName) throw badRequest(`pod ${metadata.name} does not have a host assigned`)
  return spec.nodeName
}

/** This server has no connection to nodes: Pods that do not run in this process cannot be reached. */
export const nodeUnreachable = (node: string) =>
  new ApiError(
    500,
    'InternalError',
    `error dialing backend: node ${JSON.stringify(node)} cannot be reached: this server has no connection to nodes`,
  )
