import type { Static } from 'orch/sdk'
import type { Ingress, IngressBackend, IngressSpec } from './schema.js'
import type { Ingress as FormerIngress } from './schema-v1beta1.js'

type Former = Static<typeof FormerIngress>
type FormerSpec = NonNullable<Former['spec']>
type FormerBackend = NonNullable<FormerSpec['backend']>

/** `backend` of v1beta1, with name and port of a Service side by side, is `defaultBackend` of v1. */
export function toV1({ spec, ...former }: Former): Ingress {
  if (spec === undefined) return former
  const { backend, rules, ...others } = spec
  return {
    ...former,
    spec: {
      ...others,
      ...(backend ? { defaultBackend: backendToV1(backend) } : {}),
      ...(rules ? { rules: rules.map(rule => withBackends(rule, backendToV1)) } : {}),
    } as IngressSpec,
  }
}

export function fromV1({ spec, ...stable }: Ingress): Former {
  if (spec === undefined) return stable as Former
  const { defaultBackend, rules, ...others } = spec
  return {
    ...stable,
    spec: {
      ...others,
      ...(defaultBackend ? { backend: backendFromV1(defaultBackend) } : {}),
      ...(rules ? { rules: rules.map(rule => withBackends(rule, backendFromV1)) } : {}),
    },
  } as Former
}

interface RuleOf<B> {
  host?: string
  http?: { paths: readonly ({ backend?: B } & object)[] | null }
}
const withBackends = <From, To>({ http, ...rule }: RuleOf<From>, convert: (backend: From) => To): RuleOf<To> => ({
  ...rule,
  ...(http
    ? {
        http: {
          // Null if the body omits them, which validation reports.
          paths:
            http.paths?.map(({ backend, ...path }) => ({
              ...path,
              ...(backend === undefined ? {} : { backend: convert(backend) }),
            })) ?? null,
        },
      }
    : {}),
})

function backendToV1({ serviceName, servicePort, resource }: FormerBackend): IngressBackend {
  const byNumber = typeof servicePort === 'number'
  const port = byNumber ? { number: servicePort } : servicePort === undefined ? {} : { name: servicePort }
  const hasService = serviceName !== undefined || servicePort !== undefined
  return {
    ...(hasService ? { service: { name: serviceName ?? '', port } } : {}),
    ...(resource === undefined ? {} : { resource }),
  }
}

function backendFromV1({ service, resource }: IngressBackend): FormerBackend {
  const { name: serviceName = '', port } = service ?? {}
  const servicePort = port?.number ?? port?.name
  return {
    ...(serviceName === '' ? {} : { serviceName }),
    ...(servicePort === undefined ? {} : { servicePort }),
    ...(resource === undefined ? {} : { resource }),
  }
}
