import {
  AtomicList,
  embedded,
  field,
  Int32,
  inlined,
  Kind,
  kept,
  required,
  type SentObjectOf,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'
import { LoadBalancerStatus, TypedLocalObjectReference } from 'orch/sdk/core'

export const ServiceBackendPort = Struct(
  'networking.v1.ServiceBackendPort',
  {
    name: field(1, Text(), 'Name of the port. Excludes number.'),
    number: field(2, Int32(), 'Number of the port. Excludes name.'),
  },
  { description: 'A port of a Service, by name or by number.' },
)
export type ServiceBackendPort = Static<typeof ServiceBackendPort>

export const IngressServiceBackend = Struct(
  'networking.v1.IngressServiceBackend',
  {
    name: required(1, Text(), 'Name of the Service, in the namespace of the ingress.'),
    port: embedded(2, ServiceBackendPort, {
      description: 'Port of the Service.',
      revised: [{ since: '1.31', to: { mapType: 'atomic' } }],
    }),
  },
  { description: 'A Service that receives the traffic.' },
)
export type IngressServiceBackend = Static<typeof IngressServiceBackend>

export const IngressBackend = Struct(
  'networking.v1.IngressBackend',
  {
    service: kept(4, IngressServiceBackend, 'A Service. Excludes resource.'),
    resource: kept(3, TypedLocalObjectReference, 'Another object of the namespace. Excludes service.'),
  },
  { description: 'Where traffic goes: to a Service or to another object.' },
)
export type IngressBackend = Static<typeof IngressBackend>

export const HTTPIngressPath = Struct(
  'networking.v1.HTTPIngressPath',
  {
    path: field(1, Text(), 'Path of the URL, beginning with /.'),
    pathType: required(3, Text(), {
      description: 'How the path is compared: Exact, Prefix (element by element) or ImplementationSpecific.',
      nullable: true,
    }),
    backend: required(2, IngressBackend, 'Where the traffic goes.'),
  },
  { description: 'A path, and where its traffic goes.' },
)
export type HTTPIngressPath = Static<typeof HTTPIngressPath>

export const HTTPIngressRuleValue = Struct(
  'networking.v1.HTTPIngressRuleValue',
  {
    paths: required(1, AtomicList(HTTPIngressPath), 'The paths, and where their traffic goes.'),
  },
  { description: 'Paths of a host.' },
)
export type HTTPIngressRuleValue = Static<typeof HTTPIngressRuleValue>

export const IngressRuleValue = Struct(
  'networking.v1.IngressRuleValue',
  {
    http: kept(1, HTTPIngressRuleValue, 'The paths of the host. Without them all traffic goes to the default backend.'),
  },
  { description: 'What is done for a host.' },
)
export type IngressRuleValue = Static<typeof IngressRuleValue>

export const IngressRule = Struct(
  'networking.v1.IngressRule',
  {
    host: field(1, Text(), 'Name of the host; *. at the start stands for one label. Empty means every host.'),
    ...inlined(2, IngressRuleValue),
  },
  { description: 'What is done with the traffic for a host.' },
)
export type IngressRule = Static<typeof IngressRule>

export const IngressTLS = Struct(
  'networking.v1.IngressTLS',
  {
    hosts: field(1, AtomicList(Text()), 'Hosts in the certificate.'),
    secretName: field(2, Text(), 'Secret with the certificate and its key, in the namespace of the ingress.'),
  },
  { description: 'A certificate, and the hosts it is for.' },
)
export type IngressTLS = Static<typeof IngressTLS>

export const IngressSpec = Struct(
  'networking.v1.IngressSpec',
  {
    ingressClassName: kept(4, Text(), 'Name of the class, which determines the controller that serves the ingress.'),
    defaultBackend: kept(1, IngressBackend, 'Where traffic goes that no rule matches.'),
    tls: field(2, AtomicList(IngressTLS), 'Certificates for the hosts.'),
    rules: field(3, AtomicList(IngressRule), 'What is done with the traffic, by host and path.'),
  },
  { description: 'How traffic from outside reaches Services.' },
)
export type IngressSpec = Static<typeof IngressSpec>

const IngressPortStatus = Struct(
  'networking.v1.IngressPortStatus',
  {
    port: required(1, Int32(), 'Number of the port.'),
    protocol: required(2, Text(), 'TCP, UDP or SCTP.'),
    error: kept(3, Text(), 'Why it does not work.'),
  },
  { description: 'State of a port of a load balancer.' },
)
/** The load balancer of an Ingress has fewer fields than that of a Service. */
const IngressLoadBalancerStatus = Struct(
  'networking.v1.IngressLoadBalancerStatus',
  {
    ingress: field(
      1,
      AtomicList(
        Struct(
          'networking.v1.IngressLoadBalancerIngress',
          {
            ip: field(1, Text(), 'The IP address, if it has one.'),
            hostname: field(2, Text(), 'The host name, if it has no IP address.'),
            ports: field(4, AtomicList(IngressPortStatus), 'State of its ports.'),
          },
          { description: 'An address of a load balancer.' },
        ),
      ),
      'Its addresses.',
    ),
  },
  { description: 'How a load balancer can be reached.' },
)

export const IngressStatus = Struct(
  'networking.v1.IngressStatus',
  {
    loadBalancer: embedded(1, LoadBalancerStatus, {
      description: 'Addresses of the load balancer.',
      revised: [{ since: '1.26', schema: IngressLoadBalancerStatus }],
    }),
  },
  { description: 'Where the ingress can be reached.' },
)
export type IngressStatus = Static<typeof IngressStatus>

export const Ingress = Kind(
  'networking.v1.Ingress',
  {
    spec: embedded(2, IngressSpec, 'Desired state.'),
    status: embedded(3, IngressStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Routes traffic from outside to Services, by host and path.' },
)
export type Ingress = SentObjectOf<typeof Ingress>
