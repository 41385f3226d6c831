import { useEffect, useState } from 'preact/hooks'
import { leaveForIssuer, readOffer, type SignInOffer } from '../model/open-id.js'
import { keepSession, settings, signInProblem } from '../model/session.js'

/** The page for users who are not signed in. */
export function SignIn() {
  const [token, setToken] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      // Every authenticated user may read discovery, so only an invalid token yields 401.
      const response = await fetch('/apis', { headers: { Authorization: `Bearer ${token.trim()}` }, cache: 'no-store' })
      if (response.status === 401) signInProblem.value = 'The server does not know this token, or it has expired.'
      else {
        signInProblem.value = ''
        keepSession({ token: token.trim() })
      }
    } catch {
      signInProblem.value = 'The server cannot be reached.'
    }
    setBusy(false)
  }
  return (
    <main class="sign-in">
      <img src="icon.svg" alt="" width="44" height="44" />
      <h1>{settings.value.title} console</h1>
      <p class="muted">
        Open the link that the server printed when it started, or paste the token of a service account or any other
        token that the server accepts.
      </p>
      {signInProblem.value && (
        <p class="problem" role="alert">
          {signInProblem.value}
        </p>
      )}
      <IssuerButton />
      <form onSubmit={submit}>
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          onInput={event => setToken(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={token.trim() === '' || isBusy}>
          Sign in
        </button>
      </form>
    </main>
  )
}

/** Leads to the OpenID Connect issuer, if one is configured. */
function IssuerButton() {
  const [offer, setOffer] = useState<SignInOffer>()
  useEffect(() => {
    readOffer().then(setOffer, (failure: Error) => {
      signInProblem.value = failure.message
    })
  }, [])
  if (!offer) return null
  const leave = () => {
    // `crypto.subtle` exists only on pages from https or localhost.
    leaveForIssuer(offer).catch(() => {
      signInProblem.value = 'Signing in with the issuer requires an https address of this server.'
    })
  }
  return (
    <button type="button" class="primary" onClick={leave}>
      Sign in with {new URL(offer.issuer).host}
    </button>
  )
}
