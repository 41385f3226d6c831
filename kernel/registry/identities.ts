import type { Registrar } from 'orch/sdk'
import { serviceNameOf } from 'orch/sdk/host'
import type { BootCode } from '../contracts/boot-errors.js'

/** The argument of a method of the registrar, such as an AdmissionDefinition for `admission`. */
export type DefinitionOf<K extends keyof Registrar> = Parameters<Registrar[K]>[number]

type DuplicateCode = Extract<BootCode, `${string}_DUPLICATE`>
/** A name that must be unique among all plugins, and the problem to report when it is not. */
export interface Identity {
  readonly code: Exclude<DuplicateCode, 'ORCH_PLUGIN_DUPLICATE' | 'ORCH_OPTION_DUPLICATE'>
  readonly name: string
}

const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const subresourceIdentity = (group: string, resource: string, name: string): Identity => ({
  code: 'ORCH_SUBRESOURCE_DUPLICATE',
  name: `${group ? `${resource}.${group}` : resource}/${name}`,
})

/** What must be unique about each kind of contribution. Leaving a registrar method out of this table is a compile error. */
export const identitiesOf: { readonly [K in keyof Registrar]: (definition: DefinitionOf<K>) => readonly Identity[] } = {
  resource: ({ group, kind, resource, subresources }) => [
    { code: 'ORCH_KIND_DUPLICATE', name: group ? `${kind}.${group}` : kind },
    { code: 'ORCH_RESOURCE_DUPLICATE', name: group ? `${resource}.${group}` : resource },
    ...Object.keys(subresources ?? {}).map(name => subresourceIdentity(group, resource, name)),
  ],
  typeSource: ({ name }) => [{ code: 'ORCH_TYPE_SOURCE_DUPLICATE', name }],
  subresource: ({ group, resource, name }) => [subresourceIdentity(group, resource, name)],
  admission: ({ name }) => [{ code: 'ORCH_ADMISSION_DUPLICATE', name }],
  authenticator: ({ name }) => [{ code: 'ORCH_AUTHENTICATOR_DUPLICATE', name }],
  authorizer: ({ mode }) => [{ code: 'ORCH_AUTHORIZER_DUPLICATE', name: mode }],
  controller: ({ name }) => [{ code: 'ORCH_CONTROLLER_DUPLICATE', name }],
  storage: ({ name }) => [{ code: 'ORCH_STORAGE_DUPLICATE', name }],
  storeLayer: ({ name }) => [{ code: 'ORCH_STORE_LAYER_DUPLICATE', name }],
  healthCheck: ({ name }) => [{ code: 'ORCH_HEALTH_CHECK_DUPLICATE', name }],
  route: ({ path, methods }) =>
    (methods ?? everyMethod).map(method => ({
      code: 'ORCH_ROUTE_DUPLICATE',
      name: `${method.toUpperCase()} ${path}`,
    })),
  command: ({ name }) => [{ code: 'ORCH_COMMAND_DUPLICATE', name }],
  consolePage: ({ name }) => [{ code: 'ORCH_CONSOLE_PAGE_DUPLICATE', name }],
  service: ({ token }) => [{ code: 'ORCH_SERVICE_DUPLICATE', name: serviceNameOf(token) }],
  // Names of start tasks and notices are only for messages, so two plugins may use the same.
  onStart: () => [],
  startNotice: () => [],
}
