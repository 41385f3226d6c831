import { type ExpressionType, readType } from './expression-types.js'
import { formatNames } from './format-functions.js'
import { imageParts } from './image-functions.js'

/** An overload of a function. */
export interface Signature {
  readonly isMethod: boolean
  /** Types of the arguments. The target of a method comes first. */
  readonly takes: readonly ExpressionType[]
  readonly returns: ExpressionType
}

/** `string.contains(string):bool` is a method, `size(string):int` a function. */
const texts: Readonly<Record<string, readonly string[]>> = {
  '!_': ['bool:bool'],
  '-_': ['int:int', 'double:double'],
  '_&&_': ['bool,bool:bool'],
  '_||_': ['bool,bool:bool'],
  '_?_:_': ['bool,A,A:A'],
  '_==_': ['A,A:bool'],
  '_!=_': ['A,A:bool'],
  '@in': ['A,list(A):bool', 'A,map(A,B):bool'],
  '_[_]': ['list(A),int:A', 'map(A,B),A:B'],
  '@not_strictly_false': ['bool:bool'],
  '@mapInsert': ['map(A,B),A,B:map(A,B)', 'map(A,B),map(A,B):map(A,B)'],
  '_+_': [
    ...['int,int:int', 'uint,uint:uint', 'double,double:double', 'string,string:string', 'bytes,bytes:bytes'],
    ...[
      'list(A),list(A):list(A)',
      'timestamp,duration:timestamp',
      'duration,timestamp:timestamp',
      'duration,duration:duration',
    ],
  ],
  '_-_': [
    ...['int,int:int', 'uint,uint:uint', 'double,double:double'],
    ...['timestamp,timestamp:duration', 'timestamp,duration:timestamp', 'duration,duration:duration'],
  ],
  '_*_': ['int,int:int', 'uint,uint:uint', 'double,double:double'],
  '_/_': ['int,int:int', 'uint,uint:uint', 'double,double:double'],
  '_%_': ['int,int:int', 'uint,uint:uint'],
  size: [
    'string:int',
    'bytes:int',
    'list(A):int',
    'map(A,B):int',
    '.string:int',
    '.bytes:int',
    '.list(A):int',
    '.map(A,B):int',
  ],
  contains: ['.string,string:bool'],
  startsWith: ['.string,string:bool'],
  endsWith: ['.string,string:bool'],
  matches: ['.string,string:bool', 'string,string:bool'],
  int: ['int:int', 'uint:int', 'double:int', 'string:int', 'timestamp:int', 'duration:int'],
  uint: ['uint:uint', 'int:uint', 'double:uint', 'string:uint'],
  double: ['double:double', 'int:double', 'uint:double', 'string:double'],
  string: [
    'string:string',
    'int:string',
    'uint:string',
    'double:string',
    'bool:string',
    'bytes:string',
    'timestamp:string',
    'duration:string',
    'ip:string',
    'cidr:string',
  ],
  bytes: ['bytes:bytes', 'string:bytes'],
  bool: ['bool:bool', 'string:bool'],
  dyn: ['A:dyn'],
  type: ['A:type'],
  timestamp: ['timestamp:timestamp', 'string:timestamp', 'int:timestamp'],
  duration: ['duration:duration', 'string:duration'],
  ...Object.fromEntries(
    ['getFullYear', 'getMonth', 'getDayOfYear', 'getDayOfMonth', 'getDate', 'getDayOfWeek'].map(name => [
      name,
      ['.timestamp:int', '.timestamp,string:int'],
    ]),
  ),
  ...Object.fromEntries(
    ['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'].map(name => [
      name,
      ['.timestamp:int', '.timestamp,string:int', '.duration:int'],
    ]),
  ),
  // Strings.
  charAt: ['.string,int:string'],
  indexOf: ['.string,string:int', '.string,string,int:int', '.list(A),A:int'],
  lastIndexOf: ['.string,string:int', '.string,string,int:int', '.list(A),A:int'],
  join: ['.list(string):string', '.list(string),string:string'],
  lowerAscii: ['.string:string'],
  upperAscii: ['.string:string'],
  replace: ['.string,string,string:string', '.string,string,string,int:string'],
  split: ['.string,string:list(string)', '.string,string,int:list(string)'],
  substring: ['.string,int:string', '.string,int,int:string'],
  trim: ['.string:string'],
  format: ['.string,list(dyn):string'],
  'strings.quote': ['string:string'],
  // Lists.
  isSorted: ['int', 'uint', 'double', 'string', 'bytes', 'bool', 'timestamp', 'duration'].map(
    type => `.list(${type}):bool`,
  ),
  sum: ['int', 'uint', 'double', 'duration'].map(type => `.list(${type}):${type}`),
  min: ['int', 'uint', 'double', 'string', 'bytes', 'bool', 'timestamp', 'duration'].map(
    type => `.list(${type}):${type}`,
  ),
  max: ['int', 'uint', 'double', 'string', 'bytes', 'bool', 'timestamp', 'duration'].map(
    type => `.list(${type}):${type}`,
  ),
  // Regular expressions.
  find: ['.string,string:string'],
  findAll: ['.string,string:list(string)', '.string,string,int:list(string)'],
  // Optional values.
  'optional.none': [':optional(dyn)'],
  'optional.of': ['A:optional(A)'],
  'optional.ofNonZeroValue': ['A:optional(A)'],
  hasValue: ['.optional(A):bool'],
  value: ['.optional(A):A'],
  orValue: ['.optional(A),A:A'],
  or: ['.optional(A),optional(A):optional(A)'],
  'optional.unwrap': ['list(optional(A)):list(A)'],
  unwrapOpt: ['.list(optional(A)):list(A)'],
  first: ['.list(A):optional(A)'],
  last: ['.list(A):optional(A)'],
  // Authorization checks.
  path: ['.authorizer,string:pathCheck'],
  group: ['.authorizer,string:groupCheck'],
  serviceAccount: ['.authorizer,string,string:authorizer'],
  resource: ['.groupCheck,string:resourceCheck'],
  ...Object.fromEntries(
    ['subresource', 'namespace', 'name', 'fieldSelector', 'labelSelector'].map(name => [
      name,
      ['.resourceCheck,string:resourceCheck'],
    ]),
  ),
  check: ['.pathCheck,string:decision', '.resourceCheck,string:decision'],
  allowed: ['.decision:bool'],
  errored: ['.decision:bool'],
  error: ['.decision:string'],
  reason: ['.decision:string'],
  // Changes of objects.
  'jsonpatch.escapeKey': ['string:string'],
  // Quantities.
  quantity: ['string:quantity'],
  isQuantity: ['string:bool'],
  isLessThan: ['.quantity,quantity:bool', '.semver,semver:bool'],
  isGreaterThan: ['.quantity,quantity:bool', '.semver,semver:bool'],
  compareTo: ['.quantity,quantity:int', '.semver,semver:int'],
  add: ['.quantity,quantity:quantity', '.quantity,int:quantity'],
  sub: ['.quantity,quantity:quantity', '.quantity,int:quantity'],
  sign: ['.quantity:int'],
  isInteger: ['.quantity:bool'],
  asInteger: ['.quantity:int'],
  asApproximateFloat: ['.quantity:double'],
  // Versions.
  semver: ['string:semver', 'string,bool:semver'],
  isSemver: ['string:bool', 'string,bool:bool'],
  ...Object.fromEntries(['major', 'minor', 'patch'].map(name => [name, ['.semver:int']])),
  // Formats.
  'format.named': ['string:optional(namedFormat)'],
  ...Object.fromEntries(formatNames.map(name => [`format.${name}`, [':namedFormat']])),
  validate: ['.namedFormat,string:optional(list(string))'],
  // Image references.
  image: ['string:image'],
  isImage: ['string:bool'],
  containsDigest: ['.image:bool'],
  ...Object.fromEntries(imageParts.map(name => [name, ['.image:string']])),
  // Sets.
  ...Object.fromEntries(
    ['contains', 'equivalent', 'intersects'].map(name => [`sets.${name}`, ['list(A),list(A):bool']]),
  ),
  // Addresses.
  ip: ['string:ip', '.cidr:ip'],
  'ip.isCanonical': ['string:bool'],
  isIP: ['string:bool'],
  cidr: ['string:cidr'],
  isCIDR: ['string:bool'],
  family: ['.ip:int'],
  ...Object.fromEntries(
    ['isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'].map(name => [
      name,
      ['.ip:bool'],
    ]),
  ),
  containsIP: ['.cidr,string:bool', '.cidr,ip:bool'],
  containsCIDR: ['.cidr,string:bool', '.cidr,cidr:bool'],
  masked: ['.cidr:cidr'],
  prefixLength: ['.cidr:int'],
  // URLs.
  url: ['string:url'],
  isURL: ['string:bool'],
  ...Object.fromEntries(
    ['getScheme', 'getHost', 'getHostname', 'getPort', 'getEscapedPath'].map(name => [name, ['.url:string']]),
  ),
  getQuery: ['.url:map(string,list(string))'],
}
const ordered = ['int', 'uint', 'double', 'string', 'bytes', 'bool', 'timestamp', 'duration']
const numbers = ['int', 'uint', 'double']
const comparisons = [
  ...ordered.map(type => `${type},${type}:bool`),
  ...numbers.flatMap(a => numbers.filter(b => b !== a).map(b => `${a},${b}:bool`)),
]

function readSignature(text: string): Signature {
  const isMethod = text.startsWith('.')
  const colon = text.lastIndexOf(':')
  const takes = splitTypes(text.slice(isMethod ? 1 : 0, colon)).map(readType)
  return { isMethod, takes, returns: readType(text.slice(colon + 1)) }
}

/** Splits at the commas that are not inside parentheses. */
function splitTypes(text: string): string[] {
  if (text === '') return []
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index <= text.length; index++) {
    const letter = text[index]
    if (letter === '(') depth++
    else if (letter === ')') depth--
    else if (letter === undefined || (letter === ',' && depth === 0)) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return parts
}

/** All functions with their overloads. */
export const signatures: ReadonlyMap<string, readonly Signature[]> = new Map(
  [...Object.entries(texts), ...['_<_', '_<=_', '_>_', '_>=_'].map(name => [name, comparisons] as const)].map(
    ([name, each]) => [name, each.map(readSignature)] as const,
  ),
)

/** Names of types, which can be used as values. */
export const typeNames: ReadonlySet<string> = new Set([
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'bool',
  'list',
  'map',
  'null_type',
  'type',
])
