/**
 * Texts that differ from the editor's, since the command line has no links, commands and windows. They are in
 * English, since the output goes to logs and is read by programs.
 */
export const commandLineTexts = {
  // A link in the editor's output.
  '(Explain)': '',
  'kept, {0} sends it again': 'kept',
  'The hidden signature would make a request verify, so it is shown on your screen only.':
    'The hidden signature would make a request verify: the editor shows it, on your screen only.',
  '{0}: Explain Delivery looks closer': '{0}: runhook verify looks closer',
  'The deliveries here were kept by a newer version of Runhook. Update Runhook, or reload the window.':
    'The deliveries here were kept by a newer version of Runhook. Update Runhook.',
};
