<?php

// Writes images that people upload: one with transparency, one with many pixels, one with code in a comment and after its end.
$image = imagecreatetruecolor(20, 10);
imagealphablending($image, false);
imagesavealpha($image, true);
imagefill($image, 0, 0, imagecolorallocatealpha($image, 255, 0, 0, 100));
imagepng($image, 'fine.png');
imagejpeg($image, 'fine.jpg');
$large = imagecreate(6_000, 5_000);
imagecolorallocate($large, 255, 255, 255);
imagepng($large, 'large.png');
$jpeg = file_get_contents('fine.jpg');
$code = '<?php echo "run";';
$comment = "\xff\xfe" . pack('n', strlen($code) + 2) . $code;
file_put_contents('code.jpg', substr($jpeg, 0, 2) . $comment . substr($jpeg, 2) . $code);
