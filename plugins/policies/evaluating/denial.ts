import { type AdmissionRequest, ApiError, forbidden, refusedName, type StatusCause } from 'orch/sdk'

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
}

/** A deletion of a collection does not name its objects. */
const deniedObject = (request: AdmissionRequest): string =>
  request.operation === 'delete' ? request.pathName || 'Unknown' : refusedName(request)

/** The error for a request that policies deny: worded like any forbidden request, with the reason and code of the policy. */
export function denial(
  request: AdmissionRequest,
  messages: readonly string[],
  reason: string,
  code?: number,
): ApiError {
  const subject = { group: request.group, resource: request.resource, name: deniedObject(request) }
  const { message, details } = forbidden(subject, messages[0] ?? '')
  const causes: StatusCause[] = messages.map(text => ({ message: text }) as StatusCause)
  return new ApiError(code ?? codes[reason] ?? 422, reason, message, { ...details, causes })
}
