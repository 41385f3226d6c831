import {
  Condition,
  embedded,
  field,
  Int32,
  IntOrString,
  KeyedList,
  Kind,
  kept,
  LabelSelector,
  ListOf,
  required,
  type SentObjectOf,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'

export const NetworkPolicyPort = Struct(
  'networking.v1.NetworkPolicyPort',
  {
    protocol: kept(1, Text(), { description: 'TCP, UDP or SCTP. TCP by default.', default: 'TCP' }),
    port: kept(2, IntOrString(), 'Number or name of the port. Empty means all ports.'),
    endPort: kept(3, Int32(), 'Last port of a range that begins with port.'),
  },
  { description: 'A port that traffic may go to.' },
)
export type NetworkPolicyPort = Static<typeof NetworkPolicyPort>

export const IPBlock = Struct(
  'networking.v1.IPBlock',
  {
    cidr: required(1, Text(), 'The range, such as 192.168.1.0/24.'),
    except: field(2, ListOf(Text()), 'Ranges within it that are left out.'),
  },
  { description: 'A range of addresses.' },
)
export type IPBlock = Static<typeof IPBlock>

export const NetworkPolicyPeer = Struct(
  'networking.v1.NetworkPolicyPeer',
  {
    podSelector: kept(
      1,
      LabelSelector,
      "Labels of Pods, in the namespaces that namespaceSelector selects, or in the policy's own.",
    ),
    namespaceSelector: kept(2, LabelSelector, 'Labels of namespaces. An empty selector means all of them.'),
    ipBlock: kept(3, IPBlock, 'A range of addresses.'),
  },
  { description: 'A source or destination of traffic. An address range excludes the selectors.' },
)
export type NetworkPolicyPeer = Static<typeof NetworkPolicyPeer>

export const NetworkPolicyIngressRule = Struct(
  'networking.v1.NetworkPolicyIngressRule',
  {
    ports: field(1, ListOf(NetworkPolicyPort), 'Ports that may be reached. Empty means all.'),
    from: field(2, ListOf(NetworkPolicyPeer), 'Allowed sources. Empty means all.'),
  },
  { description: 'Traffic to the selected Pods that is allowed.' },
)
export type NetworkPolicyIngressRule = Static<typeof NetworkPolicyIngressRule>

export const NetworkPolicyEgressRule = Struct(
  'networking.v1.NetworkPolicyEgressRule',
  {
    ports: field(1, ListOf(NetworkPolicyPort), 'Ports that may be reached. Empty means all.'),
    to: field(2, ListOf(NetworkPolicyPeer), 'Allowed destinations. Empty means all.'),
  },
  { description: 'Traffic from the selected Pods that is allowed.' },
)
export type NetworkPolicyEgressRule = Static<typeof NetworkPolicyEgressRule>

export const NetworkPolicySpec = Struct(
  'networking.v1.NetworkPolicySpec',
  {
    podSelector: required(1, LabelSelector, {
      description: 'Labels of the Pods that the policy is for. An empty selector means all Pods of the namespace.',
      revised: [{ since: '1.34', to: { isRequired: false } }],
    }),
    ingress: field(
      2,
      ListOf(NetworkPolicyIngressRule),
      'Traffic to these Pods that is allowed. If the policy is about ingress, everything else is not.',
    ),
    egress: field(
      3,
      ListOf(NetworkPolicyEgressRule),
      'Traffic from these Pods that is allowed. If the policy is about egress, everything else is not.',
    ),
    policyTypes: field(
      4,
      ListOf(Text()),
      'The direction of traffic that the policy applies to: Ingress, Egress or both.',
    ),
  },
  { description: 'The traffic that is allowed for the selected Pods.' },
)
export type NetworkPolicySpec = Static<typeof NetworkPolicySpec>

const NetworkPolicyStatus = Struct(
  'networking.v1.NetworkPolicyStatus',
  {
    conditions: field(1, KeyedList(Condition, 'type'), 'Conditions of the policy.'),
  },
  { description: 'Observed state of the policy.' },
)

export const NetworkPolicy = Kind(
  'networking.v1.NetworkPolicy',
  {
    spec: embedded(2, NetworkPolicySpec, 'Desired state.'),
    status: embedded(3, NetworkPolicyStatus, {
      description: 'Observed state. An experiment that was removed.',
      since: '1.24',
      until: '1.27',
    }),
  },
  { description: 'The traffic that is allowed for Pods of a namespace.' },
)
export type NetworkPolicy = SentObjectOf<typeof NetworkPolicy>
