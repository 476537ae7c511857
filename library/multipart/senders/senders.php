<?php
// Sends the form by the curl of PHP; see record.
[, , $url, $file] = $argv;
$curl = curl_init($url);
curl_setopt_array($curl, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_POSTFIELDS => [
        'name' => 'Müller',
        'photo' => new CURLFile($file, 'application/octet-stream', basename($file)),
    ],
]);
if (curl_exec($curl) === false) {
    fwrite(STDERR, curl_error($curl));
    exit(1);
}
