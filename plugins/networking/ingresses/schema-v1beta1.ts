import { AtomicList, embedded, field, IntOrString, inlined, Kind, kept, required, Struct, Text } from 'orch/sdk'
import { TypedLocalObjectReference } from 'orch/sdk/core'
import * as stable from './schema.js'

/**
 * Before v1, backends had name and port of the Service side by side. No served version has this form, but clients still
 * send it.
 */
const IngressBackend = Struct(
  'networking.v1beta1.IngressBackend',
  {
    serviceName: field(1, Text(), 'Name of the Service.'),
    servicePort: field(2, IntOrString(), 'Name or number of its port.'),
    resource: kept(3, TypedLocalObjectReference, 'Another object of the namespace.'),
  },
  { description: 'Where traffic goes.' },
)

const HTTPIngressPath = Struct(
  'networking.v1beta1.HTTPIngressPath',
  {
    path: field(1, Text(), 'Path of the URL.'),
    pathType: kept(3, Text(), 'How the path is compared.'),
    backend: embedded(2, IngressBackend, 'Where the traffic goes.'),
  },
  { description: 'A path, and where its traffic goes.' },
)
const HTTPIngressRuleValue = Struct(
  'networking.v1beta1.HTTPIngressRuleValue',
  { paths: required(1, AtomicList(HTTPIngressPath), 'The paths.') },
  { description: 'Paths of a host.' },
)
const IngressRuleValue = Struct(
  'networking.v1beta1.IngressRuleValue',
  { http: kept(1, HTTPIngressRuleValue, 'The paths of the host.') },
  { description: 'What is done for a host.' },
)
const IngressRule = Struct(
  'networking.v1beta1.IngressRule',
  { host: field(1, Text(), 'Name of the host.'), ...inlined(2, IngressRuleValue) },
  { description: 'What is done with the traffic for a host.' },
)
const { ingressClassName, tls } = stable.IngressSpec.properties
const IngressSpec = Struct(
  'networking.v1beta1.IngressSpec',
  {
    ingressClassName,
    backend: kept(1, IngressBackend, 'Where traffic goes that no rule matches.'),
    tls,
    rules: field(3, AtomicList(IngressRule), 'What is done with the traffic.'),
  },
  { description: 'How traffic from outside reaches Services.' },
)

export const Ingress = Kind(
  'networking.v1beta1.Ingress',
  {
    spec: embedded(2, IngressSpec, 'Desired state.'),
    status: embedded(3, stable.IngressStatus, 'Observed state.'),
  },
  { description: 'Routes traffic from outside to Services, by host and path.' },
)
